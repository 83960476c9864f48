#include "estimate/estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/tasks/state_keeper.hpp"
#include "estimate/answer/credibility.hpp"
#include "estimate/answer/integration_error.hpp"
#include "estimate/kept.hpp"
#include "estimate/ways/found.hpp"
#include "estimate/ways/resume.hpp"
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
  Estimator(const Workspace& workspace, const Plan& plan, const RunContext& context, int refinements)
      : workspace_(workspace),
        plan_(plan),
        context_(context),
        candidates_(workspace),
        random_(Random::stream(workspace.options().seed, 0)),
        refinements_(refinements) {
    keeper_ = {.at_step = [this] { at_step_ = workspace_.accounts(); },
               .is_due = [this] { return context_.keeper->is_due(); },
               .keep = [this](const Answer& under_way) { keep_state(under_way, at_step_); },
               .restored = [this] { workspace_.stand_at(accounts_); }};
  }

  void run(Estimation& out, const EstimateState* from) {
    if (from != nullptr) restore(*from);
    for (; way_ < static_cast<int>(plan_.ways.size()); ++way_, round_ = 0)
      for (const PlannedWay& planned = plan_.ways[way_]; round_ < planned.rounds;) {
        const Answer* stopped = from != nullptr && from->under_way ? &*from->under_way : nullptr;
        if (stopped == nullptr && !is_due(planned, round_)) break;
        try_way(planned, round_, stopped);
        from = nullptr;
        ++round_;
        // A way that was told to stop has not come to its end.
        if (context_.keeper != nullptr && !context_.should_stop() && context_.keeper->is_due())
          keep_state({}, workspace_.accounts());
      }
    finish(out);
  }

  // The answers of rougher trajectories that may be the answer, each gone on from along finer ones. What is proved of
  // them, if anything, is the answer.
  bool follow(const Estimation& rougher, Estimation& out) {
    tried_ = rougher.tried;
    follow(rougher.best);
    const double most = rougher.best.answer.run.objective + workspace_.rules().answer.told;
    for (const Answer& other : rougher.proved) {
      if (context_.should_stop()) return false;
      if (other.run.objective <= most) follow({other, rougher.workspace->on(other.grids)});
    }
    if (candidates_.empty() || !is_proved(best())) return false;
    finish(out);
    return true;
  }

 private:
  void follow(const Found& rougher) {
    if (rougher.answer.certificate.is_of_nodes) return;  // no unbroken trajectory is known
    const int replaced_codes = workspace_.replaced_codes();
    Found finer = found_finer(workspace_, rougher, without_remarks(context_));
    found_at_.push_back(workspace_.accounts());
    if (workspace_.replaced_codes() != replaced_codes) finer = found_by_one_code(std::move(finer));
    candidates_.add(std::move(finer));
  }

  void finish(Estimation& out) {
    const int replaced_codes = workspace_.replaced_codes();
    finish_best();
    out.is_credible = is_credible(workspace_, best(), layout());
    out.rule = candidates_.rule();
    out.others = candidates_.others();
    out.tried = std::move(tried_);
    out.proved = candidates_.other_proved();
    out.best = candidates_.take_best();
    out.found_at = found_at_[candidates_.index_of_best()];
    if (workspace_.replaced_codes() != replaced_codes) out.best = found_by_one_code(std::move(out.best));
    out.best.answer.work = workspace_.work();
    if (context_.should_stop() && !is_proved(out.best.answer))
      out.best.answer.run.ended = context_.is_interrupted() ? solve::Ended::interrupted : solve::Ended::deadline;
  }

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

  // What lies lowest and was cut by its share goes on in the end: until then others have half of what is left. And
  // doubt about an answer that is proved and credible is worth as much as the answer has cost, or a look.
  Share until_mark(const PlannedWay& planned) const {
    const AccountRules& rules = workspace_.rules().account;
    const Ledger& ledger = workspace_.ledger();
    const double spent = found_at_.empty() ? 0 : static_cast<double>(found_at_.back().spent);  // when the way began
    double until = planned.until * ledger.allowed();
    if (planned.tried != Tried::while_unsettled || candidates_.empty()) return {&ledger, until};
    if (!is_proved(best()) && best().run.ended == solve::Ended::budget)
      until = std::min(until, 0.5 * (spent + ledger.allowed()));
    if (is_proved(best()) && is_credible(workspace_, best(), layout()))
      until = std::min(until, spent + std::max(spent, rules.look * ledger.allowed()));
    return {&ledger, until};
  }
  // No more than it is worth.
  Share look_of(const PlannedWay& planned) const {
    const Ledger& ledger = workspace_.ledger();
    double most = planned.most;
    if (planned.tried == Tried::once_if_settled && !candidates_.empty() && is_settled())
      most *= workspace_.rules().account.settled;
    return {&ledger, std::min(until_mark(planned).until, ledger.spent() + most * ledger.allowed())};
  }

  void try_way(const PlannedWay& planned, int round, const Answer* stopped) {
    const bool is_first = candidates_.empty();
    if (!is_first && round == 0 && !is_proved(best()) && !tried_.back().is_proved)
      context_.tell(Remark{.text = fmt::format("{} led to no minimum; {} {} tried", tried_.back().way->says,
                                               planned.way->says, planned.way == &search ? "are" : "is")});
    RunContext context = is_first ? context_ : without_remarks(context_);
    context.share = until_mark(planned);
    const Answer* so_far = is_first ? nullptr : &best();
    const std::size_t before = candidates_.all().size();
    const int replaced_codes = workspace_.replaced_codes();
    std::vector<Found> found = planned.way->run({workspace_, planned, random_, context, look_of(planned), so_far,
                                                 stopped, context_.keeper != nullptr ? &keeper_ : nullptr});
    found_at_.resize(before + found.size(), workspace_.accounts());
    if (workspace_.replaced_codes() != replaced_codes)
      for (Found& each : found) each = found_by_one_code(std::move(each));
    candidates_.add(std::move(found));
    TriedWay tried{.way = planned.way, .is_best = candidates_.index_of_best() >= before};
    for (std::size_t i = before; i < candidates_.all().size(); ++i)
      tried.is_proved = tried.is_proved || is_proved(candidates_.all()[i].answer);
    tried_.push_back(tried);
  }

  // Machine code was made on the way, and rounds otherwise: what is known of an answer is all of one kind, so that it
  // is found again with the same bits.
  Found found_by_one_code(Found found) const { return found_again(workspace_, as_written(std::move(found.answer))); }

  void keep_state(const std::optional<Answer>& under_way, const Workspace::Accounts& accounts) const {
    EstimateState state{.refinements = refinements_,
                        .way = way_,
                        .round = round_,
                        .tried = kept_ways(tried_, plan_),
                        .random = random_.state(),
                        .accounts = accounts,
                        .under_way = under_way};
    for (std::size_t i = 0; i < candidates_.all().size(); ++i) {
      const Answer& answer = candidates_.all()[i].answer;
      state.answers.push_back({answer, answer.motion, found_at_[i]});
    }
    context_.keeper->keep(write(state));
  }
  void restore(const EstimateState& state) {
    way_ = state.way;
    round_ = state.round;
    tried_ = ways_of(state.tried, plan_);
    random_ = *Random::at_state(state.random);
    std::vector<Found> found;
    for (const KeptAnswer& kept : state.answers) {
      found_at_.push_back(kept.found_at);
      found.push_back(found_again(workspace_, kept));
    }
    candidates_.add(std::move(found));
    accounts_ = state.accounts;
    workspace_.stand_at(accounts_, state.under_way.has_value());
  }

  // What lies lower than all that is proved, and was cut by the share of its way, goes on with what is left of the
  // account. The best of many starts does so after all of them.
  void finish_best() {
    if (is_proved(best()) || best().run.ended != solve::Ended::budget || workspace_.options().is_one_of_many) return;
    RunContext context = without_remarks(context_);
    context.share = {&workspace_.ledger(), workspace_.ledger().allowed()};
    Found finished = gone_on_until_proved(workspace_, {best(), workspace_.on(best().grids)}, context);
    found_at_.push_back(workspace_.accounts());
    candidates_.add(std::move(finished));
  }

  const Workspace& workspace_;
  const Plan& plan_;
  const RunContext& context_;
  Candidates candidates_;
  Random random_;
  std::vector<TriedWay> tried_{};
  std::vector<Workspace::Accounts> found_at_{};  // of every candidate
  int refinements_;
  int way_ = 0;  // and round, that is under way or comes next
  int round_ = 0;
  Workspace::Accounts accounts_{};  // of what the estimate goes on from
  Workspace::Accounts at_step_{};   // before the trial that is under way
  WayKeeper keeper_{};
};

Estimation begun(const model::Problem& problem, const Options& options, const RunContext& context, const Reused& reused,
                 int refinements) {
  Estimation out{.refinements = refinements};
  out.workspace =
      std::make_unique<Workspace>(problem, options, reused.compiled, reused.memory, context.stop, reused.helpers);
  return out;
}

Estimation estimate_at(const model::Problem& problem, const Options& options, const RunContext& context,
                       const Reused& reused, const Strategy& strategy, int refinements = 0,
                       const EstimateState* from = nullptr) {
  Estimation out = begun(problem, options, context, reused, refinements);
  out.plan = reused.plan ? *reused.plan : make_plan(*out.workspace, strategy);
  context.tell_detail([&] { return to_string(out.plan); });
  Estimator(*out.workspace, out.plan, context, refinements).run(out, from);
  return out;
}

// With the finer integrator of the options, from where the rougher trajectories have led to; nothing where none of that
// is proved.
std::optional<Estimation> refined_from(const Estimation& rougher, const model::Problem& problem, const Options& options,
                                       const RunContext& context, const Reused& reused) {
  Estimation out = begun(problem, options, context, reused, rougher.refinements + 1);
  out.plan = rougher.plan;
  if (!Estimator(*out.workspace, out.plan, context, out.refinements).follow(rougher, out)) return std::nullopt;
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

std::optional<EstimateState> kept_state(const model::Problem& problem, const RunContext& context) {
  const std::optional<std::string> text = context.keeper != nullptr ? context.keeper->kept() : std::nullopt;
  return text ? read_state(*text, problem) : std::nullopt;
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
  std::optional<EstimateState> from = kept_state(problem, context);
  std::optional<Options> refined_before = refined(problem, options, from ? from->refinements : 0);
  if (!refined_before) from.reset();
  Options finer = refined_before.value_or(options);
  int refinements = from ? from->refinements : 0;
  Estimation out = estimate_at(problem, finer, context, reused, strategy, refinements, from ? &*from : nullptr);
  while (is_hidden_by_integration(out, context)) {
    finer.integrator = next_finer(out.workspace->shooting_options().integrator);
    if (!finer.integrator) {
      refuse_for_integration(out.best.answer);
      break;
    }
    context.tell(Remark{.text = fmt::format("the data are more accurate than the trajectories: on with rtol {:g}",
                                            integrate::relative_tolerance(*finer.integrator))});
    std::optional<Estimation> next = refined_from(out, problem, finer, context, reused);
    ++refinements;
    if (!next && context.should_stop()) {
      refuse_for_integration(out.best.answer);
      break;
    }
    out = next ? std::move(*next) : estimate_at(problem, finer, context, reused, strategy, refinements);
  }
  return out;
}

}  // namespace salvo::estimate
