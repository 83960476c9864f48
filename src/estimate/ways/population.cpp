#include "estimate/ways/population.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

namespace salvo::estimate {
namespace {

constexpr double without_value = std::numeric_limits<double>::infinity();

// Of every measurement, the share of its experiment's times that are not later.
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
  Population(const Setup& setup, const PopulationRules& rules, Random& random, const RunContext& context)
      : setup_(setup),
        layout_(setup.shooting->layout()),
        rules_(rules),
        random_(random),
        context_(context),
        share_(shares_of_time(*setup.problem)),
        members_wanted_(
            std::clamp(rules.members_per_unknown * layout_.unknowns, rules.fewest_members, rules.most_members)),
        generations_(rules.generations) {
    request_.accuracy = rules.accuracy;
    request_.max_steps = rules.most_steps;
    request_.stiff = setup.solve.request.stiff;
    for (std::size_t o = 0; o < setup.problem->observables.size(); ++o)
      scales_noise_.push_back(is_noise_scaled(*setup.problem, setup.shooting->model(), o));
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
  // Fewer members and generations where trajectories are dear.
  bool is_affordable() {
    const double before = operations_of(setup_);
    misfit(setup_.start);
    const double allowed = rules_.dear / std::max((operations_of(setup_) - before) * rules_.stages, 1.0);
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
    constexpr double factor = 0.5;  // standard deviation of its logarithm
    for (const nlp::Layout::Chain& chain : layout_.chains)
      for (int i = chain.offset[0]; i < chain.offset[0] + chain.size[0]; ++i) {
        const double by = random_.normal() * factor;
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
      const int o = setup_.problem->measurements[i].observable;
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
      if (misfits_[n] == without_value || static_cast<int>(out.size()) == rules_.followed) break;
      if (misfits_[n] <= last + rules_.same) continue;
      last = misfits_[n];
      out.push_back(members_[n]);
    }
    return out;
  }

  const Setup& setup_;
  const nlp::Layout& layout_;
  const PopulationRules& rules_;
  Random& random_;
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

bool moves_discontinuities(const compile::CompiledModel& model) {
  if (!model.discontinuities) return false;
  const auto& functions = model.discontinuities->functions;
  return std::any_of(functions.begin(), functions.end(), [](const auto& function) { return !function.is_fixed(); });
}

std::vector<nlp::Point> evolve(const Setup& setup, const PopulationRules& rules,
                               const std::function<nlp::Point()>& draw, Random& random, const RunContext& context) {
  return Population(setup, rules, random, context).run(draw);
}

}  // namespace salvo::estimate
