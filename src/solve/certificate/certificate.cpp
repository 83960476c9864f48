#include "solve/certificate/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "solve/certificate/probing.hpp"
#include "solve/certificate/resolution.hpp"
#include "solve/elimination/arrow_triangle.hpp"
#include "solve/elimination/views.hpp"
#include "solve/quadratic/hessian.hpp"
#include "solve/quadratic/joined_problem.hpp"
#include "solve/quadratic/spectrum.hpp"
#include "solve/quadratic/trust_region.hpp"
#include "solve/state/units.hpp"

namespace salvo::solve {

std::string_view to_string(Probed probed) {
  switch (probed) {
    case Probed::constant: return "constant";
    case Probed::higher: return "higher";
    case Probed::lower: return "lower";
  }
  return {};
}

namespace {

class Certification {
 public:
  Certification(const nlp::Problem& problem, const nlp::Point& q, const nlp::Request& request, double accuracy,
                const Rules& rules, const RunContext& context)
      : problem_(problem),
        layout_(problem.layout()),
        q_(q),
        request_(request),
        accuracy_(accuracy),
        all_rules_(rules),
        rules_(rules.certificate),
        context_(context) {
    request_.accuracy = 0;
    request_.max_steps = 0;
  }

  Certificate run(nlp::Point& lower) {
    nlp::Blocks blocks;
    if (const nlp::Evaluation at = problem_.linearize(q_, request_, blocks); !at.ok) {
      out_.missing = at.trouble;
      return out_;
    }
    objective_ = blocks.objective;
    units_ = units_of(problem_, q_);
    model_.g = gradient_of(layout_, blocks, blocks, units_);
    const Resolution resolution =
        resolution_of({problem_, q_, request_, accuracy_, units_, objective_, model_.g}, rules_);
    out_.resolution = resolution.value;
    out_.is_resolved = resolution.missing.empty();
    out_.missing = resolution.missing;
    if (!out_.holds()) return out_;
    if (!is_plain_minimum(blocks)) {
      take(layout_, blocks, units_, model_);
      measure_gain(lower);
      if (!may_go_on() || !out_.holds()) return out_;
      measure_rank();
    }
    measure_contraction();
    if (may_go_on()) probe(lower);
    return out_;
  }

 private:
  bool is_stopped() const { return context_.should_stop() || context_.is_spent(); }
  // What was not looked at proves nothing.
  bool may_go_on() {
    if (!is_stopped()) return true;
    if (out_.holds())
      out_.missing = context_.should_stop() ? "the run was told to stop before the answer was proved"
                                            : "the work that was allowed was spent before the answer was proved";
    return false;
  }
  double radius_of_full_step() const { return all_rules_.descent.longest_radius; }
  double shorter() const { return all_rules_.trust.contraction; }

  // A spectrum of very many unknowns, most of them initial values of single experiments, would cost more than the fit.
  // Where norms tell that the rows see all of them, and the full step meets neither radius nor bounds and gains
  // nothing, there is no need for one.
  bool is_plain_minimum(const nlp::Blocks& blocks) {
    if (q_.size() <= rules_.few_unknowns) return false;
    std::optional<ArrowTriangle> arrow = ArrowTriangle::of(layout_, blocks, units_);
    if (!arrow) return false;
    const double least = 1 / arrow->inverse().norm_bound();  // no singular value is smaller
    if (!(least > rules_.unseen * arrow->norm_bound() && least > rules_.hessian.difference_of_rows)) return false;
    const Eigen::VectorXd half_way = arrow->solve_transposed(map(model_.g));
    const Eigen::VectorXd step = arrow->solve(-half_way);
    const double gain = 0.5 * half_way.squaredNorm();
    if (!(gain <= rules_.gain && step.norm() <= radius_of_full_step())) return false;
    for (Eigen::Index i = 0; i < step.size(); ++i) {
      const double there = q_[i] + units_[i] * step[i];
      if (!is_free(i) || there < layout_.lower[i] || there > layout_.upper[i]) return false;
    }
    out_.gain = gain;
    out_.rank = static_cast<int>(q_.size());
    arrow_ = std::move(arrow);
    return true;
  }

  TrustRegionStep step_within(double radius, const Matrix& S, FreeSpectra& spectra) const {
    // Whatever the radius, it leaves out these directions.
    const double negligible = out_.resolution.value_or(0) * radius / radius_of_full_step();
    TrustRegion region{.R = model_.R, .S = S, .g = model_.g, .radius = radius, .negligible = negligible};
    for (std::size_t i = 0; i < q_.size(); ++i) {
      region.lower.push_back((layout_.lower[i] - q_[i]) / units_[i]);
      region.upper.push_back((layout_.upper[i] - q_[i]) / units_[i]);
    }
    return solve_trust_region(region, spectra);
  }

  // By the expected information first; where that promises too much, by going there, and by the Hessian's way too. What
  // a Hessian of differences foresees is not believed unseen: rows that weigh 1e13 leave it nothing but rounding.
  void measure_gain(nlp::Point& lower) {
    FreeSpectra by_information;
    const TrustRegionStep full = step_within(radius_of_full_step(), {}, by_information);
    out_.gain = std::max(full.predicted, 0.0);
    Gained gained;
    if (request_.smoothing > 0) go_beyond(full.d, gained, lower);
    if (std::max(*out_.gain, gained.best) <= rules_.gain) return lower.clear();
    std::vector<std::vector<double>> full_steps{full.d};
    go_along({}, by_information, gained, lower);
    beyond_ = beyond_information(problem_, q_, request_, units_, model_, rules_.hessian);
    if (beyond_) {
      FreeSpectra by_hessian;
      full_steps.push_back(step_within(radius_of_full_step(), *beyond_, by_hessian).d);
      go_along(*beyond_, by_hessian, gained, lower);
    }
    const double threshold = std::max(rules_.gain, out_.resolution.value_or(0));
    if (!gained.was_seen) {  // an edge of what can be computed is no minimum
      out_.missing =
          fmt::format("the objective falls towards values at which the model cannot be computed: {}", gained.trouble);
      return;
    }
    const bool beside_jump =
        std::any_of(full_steps.begin(), full_steps.end(), [&](const auto& d) { return meets_jump(d); });
    if (gained.best <= threshold && beside_jump)
      for (const auto& step : partial_steps(threshold))
        for (double part = 1; part >= rules_.shortest_part; part *= shorter())
          look_at(moved(step, part), gained, lower);
    out_.gain = gained.best;
    if (gained.best <= threshold)
      lower.clear();
    else
      out_.missing = fmt::format("a further step would gain {:.2g} in log-likelihood", gained.best);
  }

  struct Gained {
    double best = 0;
    bool was_seen = false;
    std::string trouble{};
  };
  nlp::Point moved(const std::vector<double>& step, double part) const {
    nlp::Point q = q_;
    for (std::size_t i = 0; i < q.size(); ++i)
      q[i] = std::clamp(q[i] + part * units_[i] * step[i], layout_.lower[i], layout_.upper[i]);
    return q;
  }
  // `lower` is the lowest point that was met.
  void look_at(nlp::Point q, Gained& gained, nlp::Point& lower) const {
    nlp::Blocks blocks;
    const nlp::Evaluation at = problem_.values(q, request_, blocks);
    if (!at.ok) gained.trouble = at.trouble;
    gained.was_seen = gained.was_seen || at.ok;
    if (!at.ok || objective_ - blocks.objective <= gained.best) return;
    gained.best = objective_ - blocks.objective;
    lower = std::move(q);
  }
  // The steps of a descent, within ever shorter radii: in a narrow valley that bends, only short ones lead down. They
  // turn towards the gradient, so that a slope is seen wherever there is one.
  void go_along(const Matrix& S, FreeSpectra& spectra, Gained& gained, nlp::Point& lower) const {
    for (double radius = radius_of_full_step(); radius >= rules_.shortest_radius && !is_stopped(); radius *= shorter())
      look_at(moved(step_within(radius, S, spectra).d, 1), gained, lower);
  }

  // Towards a corner steps by the information are short: it is the curvature of what lies above the corner.
  void go_beyond(const std::vector<double>& step, Gained& gained, nlp::Point& lower) const {
    for (double part = 1; part <= 1 / rules_.unseen; part *= 2) {
      const double before = gained.best;
      look_at(moved(step, part), gained, lower);
      if (part > 1 && gained.best <= before) return;
    }
  }

  // A rise that does not vanish with the way.
  bool meets_jump(const std::vector<double>& step) const {
    nlp::Blocks blocks;
    return problem_.values(moved(step, rules_.unseen), request_, blocks).ok &&
           blocks.objective - objective_ > rules_.unresolved;
  }

  // Where the objective jumps close by, as it does where an event passes a measurement, a step of all unknowns may meet
  // the jump at once, while single unknowns, or the principal directions of the information, go along beside it. Those
  // that promise most come first.
  std::vector<std::vector<double>> partial_steps(double threshold) const {
    const auto n = static_cast<Eigen::Index>(q_.size());
    const auto R = map(model_.R);
    std::vector<Eigen::VectorXd> directions;
    for (Eigen::Index i = 0; i < n; ++i) directions.push_back(Eigen::VectorXd::Unit(n, i));
    const Spectrum spectrum = spectrum_of_squares(model_.R);
    for (Eigen::Index k = 0; k < map(spectrum.V).cols(); ++k) directions.push_back(map(spectrum.V).col(k));
    std::vector<std::pair<double, std::vector<double>>> promising;
    for (const Eigen::VectorXd& v : directions) {
      double slope = 0;
      for (Eigen::Index i = 0; i < n; ++i) slope += model_.g[i] * v[i];
      if (slope == 0) continue;
      const double curvature = (R * v).squaredNorm();
      const double length =
          curvature > 0 ? std::min(std::abs(slope) / curvature, radius_of_full_step()) : radius_of_full_step();
      const double gain = std::abs(slope) * length - 0.5 * curvature * length * length;
      if (gain <= threshold) continue;
      std::vector<double>& step = promising.emplace_back(gain, std::vector<double>{}).second;
      for (Eigen::Index i = 0; i < n; ++i) step.push_back((slope > 0 ? -length : length) * v[i]);
    }
    std::stable_sort(promising.begin(), promising.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<std::vector<double>> out;
    for (auto& [gain, step] : promising)
      if (static_cast<int>(out.size()) < rules_.most_partial_steps) out.push_back(std::move(step));
    return out;
  }

  bool is_seen(double e) const {
    const double s = std::sqrt(std::max(e, 0.0));
    return s > rules_.unseen * std::sqrt(largest_) && s > rules_.hessian.difference_of_rows;
  }
  void measure_rank() {
    int rank = 0;
    spectrum_ = spectrum_of_squares(model_.R);
    for (const double e : spectrum_.e) largest_ = std::max(largest_, e);
    for (std::size_t k = 0; k < spectrum_.e.size(); ++k) {
      if (is_seen(spectrum_.e[k])) {
        ++rank;
        continue;
      }
      Probe probe;
      for (std::size_t i = 0; i < q_.size(); ++i)
        probe.direction.push_back(spectrum_.V(static_cast<int>(i), static_cast<int>(k)));
      out_.probes.push_back(std::move(probe));
    }
    out_.rank = rank;
  }

  // H = R'(I + M)R: steps by the information alone shrink by the largest eigenvalue of M, found by power iteration, one
  // gradient each. Below -1 the objective curves down although the information sees the direction: it is probed.
  void measure_contraction() {
    if (request_.smoothing > 0) return;  // corners have no second derivatives
    const auto n = static_cast<Eigen::Index>(q_.size());
    Eigen::VectorXd v = Eigen::VectorXd::Zero(n);
    for (Eigen::Index i = 0; i < n; ++i) v[i] = is_free(i) ? 1 + 0.1 * static_cast<double>(i % 7) : 0;
    double eigenvalue = 0;
    Eigen::VectorXd w = v;
    for (int k = 0; k < rules_.repetitions && v.norm() > 0; ++k) {
      v.normalize();
      w = arrow_ ? arrow_->solve(v) : by_inverse_root(v);
      const auto Mv = curvature_beyond(w);
      if (!Mv) return;
      const Eigen::VectorXd next = arrow_ ? arrow_->solve_transposed(*Mv) : by_inverse_root(*Mv);
      eigenvalue = v.dot(next);
      v = next;
    }
    out_.contraction = std::abs(eigenvalue);
    const bool is_less_than_half = eigenvalue < -0.5;  // of what the information says
    out_.is_flat = is_less_than_half && is_flat_along(w);
    if (eigenvalue < -1 && w.norm() > 0) {
      w.normalize();
      out_.probes.push_back({.direction = {w.data(), w.data() + n}});
      --*out_.rank;
    }
  }
  // One standard error on either side should raise the objective by a half.
  bool is_flat_along(const Eigen::VectorXd& w) const {
    const double error = rows_along(w).norm();
    double rise = 0;
    for (const double side : {1.0, -1.0}) {
      nlp::Point q = q_;
      for (std::size_t i = 0; i < q.size(); ++i) q[i] += side * units_[i] * w[i] / error;
      for (std::size_t i = 0; i < q.size(); ++i)
        if (!(q[i] >= layout_.lower[i] && q[i] <= layout_.upper[i])) return false;
      nlp::Blocks blocks;
      if (!problem_.values(q, request_, blocks).ok) return false;
      rise += 0.5 * (blocks.objective - objective_);
    }
    return rise < 0.5 * rules_.flat;
  }
  Eigen::VectorXd rows_along(const Eigen::VectorXd& w) const {
    return arrow_ ? arrow_->times(w) : Eigen::VectorXd(map(model_.R) * w);
  }
  bool is_free(Eigen::Index i) const { return q_[i] > layout_.lower[i] && q_[i] < layout_.upper[i]; }
  // V e^(-1/2) V' v along what the rows see.
  Eigen::VectorXd by_inverse_root(const Eigen::VectorXd& v) const {
    const auto V = map(spectrum_.V);
    Eigen::VectorXd along = V.transpose() * v;
    for (Eigen::Index k = 0; k < along.size(); ++k)
      along[k] = is_seen(spectrum_.e[k]) ? along[k] / std::sqrt(spectrum_.e[k]) : 0;
    Eigen::VectorXd out = V * along;
    for (Eigen::Index i = 0; i < out.size(); ++i)
      if (!is_free(i)) out[i] = 0;
    return out;
  }
  // (H - R'R) w by a difference of gradients.
  std::optional<Eigen::VectorXd> curvature_beyond(const Eigen::VectorXd& w) const {
    const Eigen::VectorXd rows = rows_along(w);
    const double far = rules_.hessian.difference_of_rows / std::max(rows.norm(), 1.0) /
                       std::max(1.0, w.norm() * rules_.hessian.difference_of_rows / rules_.hessian.difference);
    nlp::Point q = q_;
    for (std::size_t i = 0; i < q.size(); ++i)
      q[i] = std::clamp(q[i] + far * units_[i] * w[i], layout_.lower[i], layout_.upper[i]);
    nlp::Gradients at;
    if (!problem_.adjoint(q, request_, {}, at).ok) return std::nullopt;
    Eigen::VectorXd change(w.size());
    for (Eigen::Index i = 0; i < change.size(); ++i) change[i] = (at.objective_by_q[i] * units_[i] - model_.g[i]) / far;
    if (arrow_) return change - arrow_->transposed_times(rows);
    return change - map(model_.R).transpose() * rows;
  }

  // Looks along every unseen direction; and where all of these hold, along what combines them and along what curves
  // down.
  void probe(nlp::Point& lower) {
    Probing probing(problem_, q_, request_, units_, objective_);
    const double threshold = std::max(rules_.lower, out_.resolution.value_or(0));
    std::vector<std::vector<double>> unseen;
    for (Probe& probe : out_.probes) {
      if (!may_go_on()) return;
      probing.look_along(probe, rules_.longest_distances(), threshold);
      if (probe.verdict == Probed::higher) ++*out_.rank;
      unseen.push_back(probe.direction);
    }
    if (probing.lowest().empty())
      for (std::vector<double>& direction : signed_sums(unseen, rules_.signs))
        note_if_lower({.direction = std::move(direction)}, rules_.longest_distances(), threshold, probing);
    if (probing.lowest().empty())
      if (auto direction = most_concave())
        note_if_lower({.direction = std::move(*direction)}, rules_.distances(),
                      std::max(rules_.gain, out_.resolution.value_or(0)), probing);
    if (probing.lowest().empty()) return;
    lower = probing.lowest();
    out_.missing = "the objective is lower beside it: a saddle or a symmetric point";
  }
  void note_if_lower(Probe probe, const std::vector<double>& distances, double threshold, Probing& probing) {
    probing.look_along(probe, distances, threshold);
    if (probe.verdict == Probed::lower) out_.probes.push_back(std::move(probe));
  }

  // The direction of least curvature of the objective itself, if that is negative: measured by standard errors along
  // what the rows see, by units elsewhere. Of corners there are no second derivatives.
  std::optional<std::vector<double>> most_concave() {
    const auto n = static_cast<Eigen::Index>(q_.size());
    if (n == 0 || arrow_ || request_.smoothing > 0 || q_.size() > rules_.few_unknowns) return std::nullopt;
    if (!beyond_) beyond_ = beyond_information(problem_, q_, request_, units_, model_, rules_.hessian);
    if (!beyond_) return std::nullopt;
    Eigen::MatrixXd scaled = map(spectrum_.V);
    for (Eigen::Index k = 0; k < n; ++k)
      if (is_seen(spectrum_.e[k])) scaled.col(k) /= std::max(1.0, std::sqrt(spectrum_.e[k]));
    for (Eigen::Index i = 0; i < n; ++i)
      if (!is_free(i)) scaled.row(i).setZero();
    const Eigen::MatrixXd Rs = map(model_.R) * scaled;
    const Spectrum curvature =
        spectrum_of(to_matrix(Rs.transpose() * Rs + scaled.transpose() * map(*beyond_) * scaled));
    const auto least = std::min_element(curvature.e.begin(), curvature.e.end());
    if (least == curvature.e.end() || !(*least < 0)) return std::nullopt;
    Eigen::VectorXd v = scaled * map(curvature.V).col(least - curvature.e.begin());
    if (!(v.norm() > 0)) return std::nullopt;
    v.normalize();
    return std::vector<double>(v.data(), v.data() + n);
  }

  const nlp::Problem& problem_;
  const nlp::Layout& layout_;
  const nlp::Point& q_;
  nlp::Request request_;
  double accuracy_;
  const Rules& all_rules_;
  const CertificateRules& rules_;
  const RunContext& context_;
  Certificate out_{};
  double objective_ = 0;
  std::vector<double> units_{};
  std::optional<ArrowTriangle> arrow_{};  // in place of the R of the model and its spectrum
  JoinedProblem model_{};
  std::optional<Matrix> beyond_{};  // the information, the Hessian
  Spectrum spectrum_{};
  double largest_ = 0;  // eigenvalue
};

}  // namespace

Certificate certify(const nlp::Problem& problem, const nlp::Point& q, const nlp::Request& request, double accuracy,
                    const Rules& rules, const RunContext& context, nlp::Point& lower) {
  return Certification(problem, q, request, accuracy, rules, context).run(lower);
}

}  // namespace salvo::solve
