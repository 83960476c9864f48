#include "estimate/ways/population.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "estimate/starts/draw.hpp"
#include "estimate/ways/found.hpp"
#include "estimate/ways/trajectory.hpp"
#include "solve/step/noise_step.hpp"

namespace salvo::estimate {
namespace {

constexpr double without_value = std::numeric_limits<double>::infinity();

// The share, for each measurement, of its experiment's times that are not later.
std::vector<double> shares_of_time(const model::Problem& problem) {
  std::vector<std::set<double>> times(problem.experiments.size());
  for (const model::Measurement& m : problem.measurements) times[m.experiment].insert(m.time);
  std::vector<std::map<double, double>> share(times.size());
  for (std::size_t e = 0; e < times.size(); ++e)
    for (const double time : times[e])
      share[e].emplace(time, static_cast<double>(share[e].size() + 1) / static_cast<double>(times[e].size()));
  std::vector<double> out;
  for (const model::Measurement& m : problem.measurements) out.push_back(share[m.experiment].at(m.time));
  return out;
}

// Whether its noise has a scale that is estimated.
bool is_noise_scaled(const model::Problem& problem, const compile::CompiledModel& model, std::size_t observable) {
  const std::vector<int>& rows = model.observables[observable].by_parameter.row;
  return !model::is_count(problem.observables[observable].distribution) &&
         std::find(rows.begin(), rows.end(), 1) != rows.end();
}

class Population {
 public:
  Population(const Setup& setup, Random& random, const Share& look, const RunContext& context)
      : setup_(setup),
        layout_(setup.shooting->layout()),
        rules_(setup.rules().population),
        random_(random),
        look_(look),
        context_(context),
        share_(shares_of_time(setup.problem())),
        members_wanted_(
            std::clamp(rules_.members_per_unknown * layout_.unknowns, rules_.fewest_members, rules_.most_members)),
        generations_(rules_.generations) {
    request_.accuracy = setup.rules().rough.accuracy;
    request_.max_steps = setup.rules().rough.steps;
    request_.stiff = setup.solve.request.stiff;
    for (std::size_t o = 0; o < setup.problem().observables.size(); ++o)
      scales_noise_.push_back(is_noise_scaled(setup.problem(), setup.shooting->model(), o));
  }

  std::vector<nlp::Point> run(const std::function<nlp::Point()>& draw) {
    if (!is_affordable()) return {};
    for (int n = 0; n < members_wanted_; ++n) {
      members_.push_back(n == 0 ? setup_.start : draw());
      if (n > 0) spread_initial_values(members_.back());
    }
    for (int stage = 0; stage < rules_.stages; ++stage) {
      let_in(rules_.earliest + (1 - rules_.earliest) * stage / (rules_.stages - 1));
      for (int n = 0; n < generations_ && !context_.should_stop(); ++n) next_generation();
    }
    return best_members();
  }

 private:
  // Fewer members and generations where trajectories cost much, as far as the share goes.
  bool is_affordable() {
    const Share& share = look_;
    if (share.ledger == nullptr) return true;
    const double before = share.ledger->spent();
    misfit(setup_.start);
    const double each = std::max(share.ledger->spent() - before, 1.0);
    const double allowed = (share.until - before) / (each * rules_.stages);
    while (members_wanted_ * generations_ > allowed) {
      if (generations_ > rules_.fewest_generations)
        --generations_;
      else if (members_wanted_ > rules_.fewest_members)
        --members_wanted_;
      else
        return false;
    }
    return true;
  }

  void spread_initial_values(nlp::Point& q) {
    for (const nlp::Layout::Chain& chain : layout_.chains)
      for (int i = chain.offset[0]; i < chain.offset[0] + chain.size[0]; ++i) {
        const double by = random_.normal() * rules_.initial_spread;
        q[i] = std::clamp(q[i] == 0 ? by : q[i] * std::exp(by), layout_.lower[i], layout_.upper[i]);
      }
  }

  // Measurements up to this share of the times count from now on.
  void let_in(double share) {
    let_in_ = share + 1e-9;
    misfits_.resize(members_.size());
    for (std::size_t n = 0; n < members_.size() && !context_.should_stop(); ++n) misfits_[n] = misfit(members_[n]);
  }

  // The negative logarithm of the likelihood of what counts, apart from constants. Where sigma = c s and c is
  // estimated, the best c makes of it   sum log s + n log rms(residual / s).
  double misfit(const nlp::Point& q) {
    const nlp::Evaluation at = setup_.shooting->predict(q, request_, predicted_);
    request_.stiff = request_.stiff || at.stiff_intervals > 0;
    if (!at.ok) return without_value;
    double sum = 0;
    std::vector<double> squares(scales_noise_.size(), 0.0);
    std::vector<int> counted(scales_noise_.size(), 0);
    for (int i = 0; i < static_cast<int>(predicted_.size()); ++i) {
      if (share_[i] > let_in_) continue;
      const int o = setup_.problem().measurements[i].observable;
      const model::NoiseRow row = setup_.shooting->noise_row(i, predicted_[i]);
      if (!scales_noise_[o]) {
        sum -= row.llh;
        continue;
      }
      sum += std::log(predicted_[i].sigma);
      squares[o] += row.residual * row.residual;
      ++counted[o];
    }
    for (std::size_t o = 0; o < squares.size(); ++o)
      if (counted[o] > 0)
        sum += 0.5 * counted[o] * std::log(std::max(squares[o] / counted[o], std::numeric_limits<double>::min()));
    return std::isfinite(sum) ? sum : without_value;
  }

  std::vector<int> by_misfit() const {
    std::vector<int> order(members_.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return misfits_[a] < misfits_[b]; });
    return order;
  }

  int any(int count) { return std::min(static_cast<int>(random_.uniform() * count), count - 1); }

  void next_generation() {
    const int count = static_cast<int>(members_.size());
    const std::vector<int> order = by_misfit();
    const int leaders = std::max(2, static_cast<int>(rules_.leading * count));
    for (int n = 0; n < count && !context_.should_stop(); ++n) {
      nlp::Point trial = trial_of(n, order[any(leaders)]);
      const double found = misfit(trial);
      if (!(found <= misfits_[n])) continue;
      misfits_[n] = found;
      members_[n] = std::move(trial);
    }
  }

  // x + w (leader - x) + w (a - b) of two others, in most unknowns.
  nlp::Point trial_of(int n, int leader) {
    const int count = static_cast<int>(members_.size());
    const nlp::Point& x = members_[n];
    const nlp::Point& a = members_[any(count)];
    const nlp::Point& b = members_[any(count)];
    const double weight = rules_.least_weight + (1 - rules_.least_weight) * random_.uniform();
    const int always = any(layout_.unknowns);
    nlp::Point trial = x;
    for (int i = 0; i < layout_.unknowns; ++i) {
      if (random_.uniform() > rules_.crossover && i != always) continue;
      trial[i] += weight * (members_[leader][i] - x[i] + a[i] - b[i]);
      if (trial[i] < layout_.lower[i]) trial[i] = 0.5 * (x[i] + layout_.lower[i]);
      if (trial[i] > layout_.upper[i]) trial[i] = 0.5 * (x[i] + layout_.upper[i]);
    }
    return trial;
  }

  std::vector<nlp::Point> best_members() const {
    std::vector<nlp::Point> out;
    double last = -without_value;
    for (const int n : by_misfit()) {
      if (misfits_[n] == without_value || static_cast<int>(out.size()) == setup_.rules().answer.followed) break;
      if (misfits_[n] <= last + setup_.rules().rough.same) continue;
      last = misfits_[n];
      out.push_back(members_[n]);
    }
    return out;
  }

  const Setup& setup_;
  const nlp::Layout& layout_;
  const PopulationRules& rules_;
  Random& random_;
  const Share& look_;
  const RunContext& context_;
  std::vector<double> share_;
  int members_wanted_;
  int generations_;
  nlp::Request request_{};
  std::vector<bool> scales_noise_{};  // by observable
  double let_in_ = 1;
  std::vector<nlp::Point> members_{};
  std::vector<double> misfits_{};
  std::vector<shooting::ShootingProblem::Predicted> predicted_{};
};

}  // namespace

std::vector<nlp::Point> evolve(const Setup& setup, const std::function<nlp::Point()>& draw, Random& random,
                               const Share& look, const RunContext& context) {
  return Population(setup, random, look, context).run(draw);
}

namespace {

std::vector<Found> evolve_and_descend(const WayTask& task) {
  Setup setup = make_setup(task.workspace, task.planned.discretisation);
  const auto draw = [&] { return draw_point(setup, task.random, false); };
  std::vector<Found> out;
  for (nlp::Point& member : evolve(setup, draw, task.random, task.look, task.context)) {
    solve::adapt_noise(*setup.shooting, setup.solve.request, setup.solve.rules.gauss_newton.short_step, member);
    solve::SolveResult end = descend_precisely(setup, member, task.context);
    if (!end.trace.empty()) out.push_back(found(task, on_same_nodes(setup), std::move(end)));
  }
  return out;
}

}  // namespace

const Way population{
    .name = "population", .says = "a population of starts", .is_unbroken = true, .run = evolve_and_descend};

}  // namespace salvo::estimate
