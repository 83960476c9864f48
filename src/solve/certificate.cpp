#include "solve/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solve/hessian.hpp"
#include "solve/joined_problem.hpp"
#include "solve/spectrum.hpp"
#include "solve/trust_region.hpp"
#include "solve/units.hpp"

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
  Certification(const nlp::Problem& problem, const nlp::Point& q, const nlp::Request& request,
                const CertificateRules& rules)
      : problem_(problem), layout_(problem.layout()), q_(q), request_(request), rules_(rules) {
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
    take(layout_, blocks, units_, model_);
    measure_resolution();
    if (!out_.holds()) return out_;
    measure_gain(lower);
    if (!out_.holds()) return out_;
    measure_rank();
    for (Probe& probe : out_.probes) look_along(probe, lower);
    if (std::any_of(out_.probes.begin(), out_.probes.end(), [](const Probe& p) { return p.verdict == Probed::lower; }))
      out_.missing = "the objective is lower beside it: a saddle or a symmetric point";
    return out_;
  }

 private:
  TrustRegionStep full_step(const Matrix& S) const {
    TrustRegion region{.R = model_.R, .S = S, .g = model_.g, .radius = rules_.radius, .negligible = out_.resolution};
    for (std::size_t i = 0; i < q_.size(); ++i) {
      region.lower.push_back((layout_.lower[i] - q_[i]) / units_[i]);
      region.upper.push_back((layout_.upper[i] - q_[i]) / units_[i]);
    }
    return solve_trust_region(region);
  }

  // By the expected information first; where that promises too much, by the Hessian; and where that does too, by going
  // there.
  void measure_gain(nlp::Point& lower) {
    TrustRegionStep step = full_step({});
    out_.gain = std::max(step.predicted, 0.0);
    if (out_.gain <= rules_.gain) return;
    if (const auto S = beyond_information(problem_, q_, request_, units_, model_, rules_.hessian)) step = full_step(*S);
    out_.gain = std::max(std::min(out_.gain, step.predicted), 0.0);
    const double felt = std::max(rules_.gain, out_.resolution);
    if (out_.gain <= felt) return;
    double best = 0;
    for (double part = 1; part >= rules_.shortest_part; part *= 0.25) {
      nlp::Point q = q_;
      for (std::size_t i = 0; i < q.size(); ++i)
        q[i] = std::clamp(q[i] + part * units_[i] * step.d[i], layout_.lower[i], layout_.upper[i]);
      nlp::Blocks blocks;
      if (!problem_.values(q, request_, blocks).ok || objective_ - blocks.objective <= best) continue;
      best = objective_ - blocks.objective;
      lower = std::move(q);
    }
    out_.gain = best;
    if (best <= felt)
      lower.clear();
    else
      out_.missing = fmt::format("a further step would gain {:.2g} in log-likelihood", out_.gain);
  }

  // The error of integration at the tolerance in use, from the change that a coarser one makes.
  void measure_resolution() {
    out_.resolution = rules_.rounding * (1 + std::abs(objective_));
    nlp::Request coarse = request_;
    nlp::Blocks blocks;
    coarse.accuracy = rules_.coarser * rules_.accuracy;
    const bool ok = problem_.values(q_, coarse, blocks).ok;
    if (ok) out_.resolution = std::max(out_.resolution, std::abs(blocks.objective - objective_) / rules_.coarser);
    if (!ok || out_.resolution > rules_.unresolved)
      out_.missing = "errors of the integration grow so much along the trajectory that it is not known";
  }

  void measure_rank() {
    const Spectrum spectrum = spectrum_of_squares(model_.R);
    double largest = 0;
    for (const double e : spectrum.e) largest = std::max(largest, e);
    for (std::size_t k = 0; k < spectrum.e.size(); ++k) {
      const double s = std::sqrt(std::max(spectrum.e[k], 0.0));
      if (s > rules_.faint * std::sqrt(largest) && s > rules_.vague) {
        ++out_.rank;
        continue;
      }
      Probe probe;
      for (std::size_t i = 0; i < q_.size(); ++i)
        probe.direction.push_back(spectrum.V(static_cast<int>(i), static_cast<int>(k)));
      out_.probes.push_back(std::move(probe));
    }
  }

  // The objective at a few distances on both sides, inside the bounds.
  void look_along(Probe& probe, nlp::Point& lower) {
    double lowest = 0;
    double highest = 0;
    for (const double side : {1.0, -1.0})
      for (const double distance : rules_.distances) {
        nlp::Point q = q_;
        for (std::size_t i = 0; i < q.size(); ++i)
          q[i] =
              std::clamp(q[i] + side * distance * units_[i] * probe.direction[i], layout_.lower[i], layout_.upper[i]);
        nlp::Blocks blocks;
        if (!problem_.values(q, request_, blocks).ok) continue;
        const double change = blocks.objective - objective_;
        highest = std::max(highest, change);
        if (change >= lowest) continue;
        lowest = change;
        if (change < -std::max(rules_.lower, out_.resolution) && change < lowest_of_all_) {
          lowest_of_all_ = change;
          lower = q;
        }
      }
    const double felt = std::max(rules_.lower, out_.resolution);
    probe.change = -lowest > felt ? lowest : highest;
    probe.verdict = -lowest > felt ? Probed::lower : highest > felt ? Probed::higher : Probed::constant;
    if (probe.verdict == Probed::higher) ++out_.rank;
  }

  const nlp::Problem& problem_;
  const nlp::Layout& layout_;
  const nlp::Point& q_;
  nlp::Request request_;
  const CertificateRules& rules_;
  Certificate out_{};
  double objective_ = 0;
  double lowest_of_all_ = 0;
  std::vector<double> units_{};
  JoinedProblem model_{};
};

}  // namespace

Certificate certify(const nlp::Problem& problem, const nlp::Point& q, const nlp::Request& request,
                    const CertificateRules& rules, nlp::Point& lower) {
  return Certification(problem, q, request, rules).run(lower);
}

}  // namespace salvo::solve
