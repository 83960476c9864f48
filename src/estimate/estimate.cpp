#include "estimate/estimate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "estimate/answer/credibility.hpp"
#include "estimate/answer/integration_error.hpp"
#include "estimate/ways/found.hpp"
#include "integrate/integrator.hpp"

namespace salvo::estimate {
namespace {

// What was chosen for the guess is chosen for the other ways too, and need not be said again.
RunContext without_remarks(const RunContext& context) {
  RunContext quieter = context;
  quieter.listener = [&context](const Event& event) {
    if (!std::holds_alternative<Remark>(event)) context.tell(event);
  };
  return quieter;
}

class Estimator {
 public:
  Estimator(const Workspace& workspace, const Plan& plan, const RunContext& context)
      : workspace_(workspace),
        plan_(plan),
        context_(context),
        candidates_(workspace),
        random_(Random::stream(workspace.options().seed, 0)) {}

  void run(Estimation& out) {
    for (const PlannedWay& planned : plan_.ways)
      for (int round = 0; round < planned.rounds && is_due(planned, round); ++round) try_way(planned, round);
    finish_best();
    out.is_credible = is_credible(workspace_, best(), layout());
    out.rule = candidates_.rule();
    out.others = candidates_.others();
    out.tried = std::move(tried_);
    out.proved = candidates_.other_proved();
    out.best = candidates_.take_best();
    out.best.answer.work = workspace_.work();
    if (context_.should_stop() && !is_proved(out.best.answer))
      out.best.answer.run.ended = context_.is_interrupted() ? solve::Ended::interrupted : solve::Ended::deadline;
  }

 private:
  const Answer& best() const { return candidates_.best().answer; }
  const nlp::Layout& layout() const { return candidates_.best().shooting->layout(); }

  bool is_settled() const {
    return is_proved(best()) && !(plan_.pursues_misfit && !is_credible(workspace_, best(), layout())) &&
           !(plan_.pursues_doubt && leaves_doubt(workspace_, best(), layout()));
  }
  bool is_due(const PlannedWay& planned, int round) const {
    if (candidates_.empty()) return true;
    if (context_.should_stop()) return false;
    switch (planned.tried) {
      case Tried::while_unsettled: return !is_settled() && workspace_.ledger().left() > 0;
      case Tried::once_if_settled: return !is_settled() || (round == 0 && !workspace_.options().is_one_of_many);
      case Tried::if_flat: return is_flat(best()) && round == 0;
      case Tried::if_proved: return is_proved(best()) && round == 0;
    }
    return false;
  }

  Share until_mark(const PlannedWay& planned) const {
    return {&workspace_.ledger(), planned.until * workspace_.ledger().allowed()};
  }
  // No more than it is worth.
  Share look_of(const PlannedWay& planned) const {
    const Ledger& ledger = workspace_.ledger();
    double most = planned.most;
    if (planned.tried == Tried::once_if_settled && !candidates_.empty() && is_settled())
      most *= workspace_.rules().account.settled;
    return {&ledger, std::min(until_mark(planned).until, ledger.spent() + most * ledger.allowed())};
  }

  void try_way(const PlannedWay& planned, int round) {
    const bool is_first = candidates_.empty();
    if (!is_first && round == 0 && !is_proved(best()) && !tried_.back().is_proved)
      context_.tell(Remark{.text = fmt::format("{} led to no minimum; {} {} tried", tried_.back().way->says,
                                               planned.way->says, planned.way == &search ? "are" : "is")});
    RunContext context = is_first ? context_ : without_remarks(context_);
    context.share = until_mark(planned);
    const Answer* so_far = is_first ? nullptr : &best();
    const std::size_t before = candidates_.all().size();
    candidates_.add(planned.way->run({workspace_, planned, random_, context, look_of(planned), so_far}));
    TriedWay tried{.way = planned.way, .is_best = candidates_.index_of_best() >= before};
    for (std::size_t i = before; i < candidates_.all().size(); ++i)
      tried.is_proved = tried.is_proved || is_proved(candidates_.all()[i].answer);
    tried_.push_back(tried);
  }

  // What lies lower than all that is proved, and was cut by the share of its way, goes on with what is left of the
  // account. The best of many starts does so after all of them.
  void finish_best() {
    if (is_proved(best()) || best().run.ended != solve::Ended::budget || workspace_.options().is_one_of_many) return;
    RunContext context = without_remarks(context_);
    context.share = {&workspace_.ledger(), workspace_.ledger().allowed()};
    candidates_.add(gone_on_until_proved(workspace_, {best(), workspace_.on(best().grids)}, context));
  }

  const Workspace& workspace_;
  const Plan& plan_;
  const RunContext& context_;
  Candidates candidates_;
  Random random_;
  std::vector<TriedWay> tried_{};
};

Estimation estimate_at(const model::Problem& problem, const Options& options, const RunContext& context,
                       const Reused& reused, const Strategy& strategy) {
  Estimation out;
  out.workspace = std::make_unique<Workspace>(problem, options, reused.compiled, reused.memory, context.stop);
  out.plan = reused.plan ? *reused.plan : make_plan(*out.workspace, strategy);
  context.tell_detail([&] { return to_string(out.plan); });
  Estimator(*out.workspace, out.plan, context).run(out);
  return out;
}

// Whether the answer is lost in errors of integration, or has moved with them.
bool is_hidden_by_integration(Estimation& out, const RunContext& context) {
  Answer& answer = out.best.answer;
  if (context.should_stop() || !out.best.shooting || !is_joined(answer, out.workspace->rules().solve.gaps))
    return false;
  if (!may_feel_integration(*out.workspace, answer, *out.best.shooting)) return false;
  if (!answer.certificate.is_resolved) return true;
  if (!is_proved(answer) || answer.certificate.is_of_nodes) return false;
  answer.certificate.integration = integration_error(*out.workspace, answer, *out.best.shooting);
  return answer.certificate.integration.value_or(0) > out.workspace->rules().answer.integration_shift;
}

void refuse_for_integration(Answer& answer) {
  if (!answer.certificate.integration) return;
  answer.trouble = fmt::format("errors of integration may move an estimate by {:.2g} standard errors",
                               *answer.certificate.integration);
  answer.certificate.missing = answer.trouble;
  answer.certificate.is_resolved = false;
  answer.standing = Standing::no_minimum;
}

}  // namespace

Estimation estimate(const model::Problem& problem, const Options& options, const RunContext& context,
                    const Reused& reused) {
  return estimate(problem, options, context, reused, reused.plan ? Strategy{} : strategy(options.rules));
}

Estimation estimate(const model::Problem& problem, const Options& options, const RunContext& context,
                    const Reused& reused, const Strategy& strategy) {
  Estimation out = estimate_at(problem, options, context, reused, strategy);
  Options finer = options;
  while (is_hidden_by_integration(out, context)) {
    finer.integrator = next_finer(out.workspace->shooting_options().integrator);
    if (!finer.integrator) {
      refuse_for_integration(out.best.answer);
      break;
    }
    context.tell(
        Remark{.text = fmt::format("the data are more accurate than the trajectories: once more with rtol {:g}",
                                   integrate::relative_tolerance(*finer.integrator))});
    out = estimate_at(problem, finer, context, reused, strategy);
  }
  return out;
}

}  // namespace salvo::estimate
