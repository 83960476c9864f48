#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/words.hpp"
#include "report/column_widths.hpp"
#include "report/digits.hpp"
#include "report/display_text.hpp"
#include "report/lines.hpp"
#include "report/optima_table.hpp"
#include "report/summary.hpp"

namespace salvo::report {
namespace {

// "ka, absorption (1/h)"
std::string name_of(const Estimate& estimate, const model::Problem& problem) {
  const bool several = problem.experiments.size() > 1 && !estimate.experiment.empty();
  std::string name = several ? estimate.experiment + ":" + estimate.id : estimate.id;
  if (!estimate.axis.label.empty()) name += ", " + estimate.axis.label;
  if (!estimate.axis.unit.empty()) name += " (" + estimate.axis.unit + ")";
  return name;
}

std::string remark_of(const Estimate& estimate) {
  std::string remark;
  if (estimate.at_bound != AtBound::none) remark = fmt::format("at {} bound", to_string(estimate.at_bound));
  if (!estimate.identifiable) remark += remark.empty() ? "not identifiable" : ", not identifiable";
  return remark;
}

bool is_of_likelihood(const Estimate& estimate) { return estimate.interval_kind != IntervalKind::wald; }

std::string interval_of(const Estimate& estimate) {
  if (!estimate.interval) return {};
  const auto& [lower, upper] = *estimate.interval;
  const auto text = [&](double end) { return rounded(end, estimate.standard_error); };
  if (std::isinf(lower) && std::isinf(upper)) return "no limits within the bounds *";
  if (std::isinf(upper)) return fmt::format("at least {} *", text(lower));
  if (std::isinf(lower)) return fmt::format("at most {} *", text(upper));
  return fmt::format("{} .. {}{}{}", text(lower), text(upper), is_of_likelihood(estimate) ? " *" : "",
                     estimate.is_unchecked ? " ?" : "");
}

// What the marks of the table mean, and where the curvature of the likelihood says something else than the standard
// errors.
std::string legend(const std::vector<const Estimate*>& all, std::size_t width) {
  constexpr std::size_t enough = 6;
  std::string text;
  if (std::any_of(all.begin(), all.end(), [](const Estimate* estimate) { return is_of_likelihood(*estimate); }))
    text += "  * ends of the likelihood, which are not those of the standard error\n";
  if (std::any_of(all.begin(), all.end(), [](const Estimate* estimate) { return estimate->is_unchecked; }))
    text += "  ? an end of the standard error that was not compared with the likelihood\n";
  std::string others;
  std::size_t count = 0;
  for (const Estimate* estimate : all)
    if (estimate->errors_differ && ++count <= enough)
      others += fmt::format("{}{} {}", others.empty() ? "" : ", ", estimate->id,
                            rounded(*estimate->standard_error_observed, estimate->standard_error_observed));
  if (count > enough) others += fmt::format(" and {} more", count - enough);
  if (count > 0)
    text +=
        wrapped("By the curvature of the likelihood, standard errors differ by more than 20 %: " + others, 2, width);
  return text;
}

// The columns of the table; where it would be wider than the terminal, intervals have lines of their own.
struct Columns {
  std::size_t name = 9;
  bool has_intervals_below = false;

  std::size_t before_interval() const { return 2 + name + 1 + number_width + 1 + number_width + 2; }
};

std::string estimate_row(const Estimate& estimate, const std::string& name, const Columns& columns, bool colour) {
  const auto& se = estimate.standard_error;
  std::string row =
      fmt::format("  {} {} {}", left(name, columns.name), right(rounded(estimate.estimate, se), number_width),
                  right(se ? rounded(*se, se) : "-", number_width));
  const std::string below = fmt::format("\n{:{}}", "", columns.name + 3);
  if (estimate.interval) row += (columns.has_intervals_below ? below : "  ") + interval_of(estimate);
  const std::string remark = remark_of(estimate);
  if (remark.empty()) return row + "\n";
  row += estimate.interval || columns.has_intervals_below ? below : "  ";
  return row + toned(remark, Tone::doubtful, colour) + "\n";
}

bool have_labels(const std::vector<const Estimate*>& all) {
  return std::any_of(all.begin(), all.end(),
                     [](const Estimate* estimate) { return !(estimate->axis.label + estimate->axis.unit).empty(); });
}

std::string estimates_table(const model::Problem& problem, const FitResult& result, bool colour, std::size_t width) {
  std::vector<const Estimate*> all;
  std::vector<bool> is_weight;
  for (int k = 0; k < static_cast<int>(problem.parameters.size()); ++k)
    if (problem.parameters[k].is_estimated()) is_weight.push_back(model::is_weight(problem, k));
  for (std::size_t k = 0; k < result.parameters.size(); ++k)
    if (k >= is_weight.size() || !is_weight[k]) all.push_back(&result.parameters[k]);
  for (const auto& estimate : result.initial) all.push_back(&estimate);
  const std::size_t estimated = all.size();
  for (const auto& estimate : result.derived) all.push_back(&estimate);
  if (all.empty()) return {};

  Columns columns;
  for (const auto* estimate : all) columns.name = std::max(columns.name, display_width(name_of(*estimate, problem)));
  columns.name = std::min(columns.name, have_labels(all) ? widest_label : widest_name);
  std::size_t widest = 0;
  for (const auto* estimate : all)
    widest = std::max({widest, interval_of(*estimate).size(), estimate->interval ? 0 : remark_of(*estimate).size()});
  columns.has_intervals_below = columns.before_interval() + widest > width;

  const std::string header =
      fmt::format("  {} {} {}{}", left("", columns.name), right("estimate", number_width),
                  right("std. error", number_width), columns.has_intervals_below ? "" : "  95 % interval");
  std::string table = toned(header, Tone::strong, colour) + "\n";
  if (columns.has_intervals_below)
    table += toned(fmt::format("{:{}}95 % interval", "", columns.name + 3), Tone::strong, colour) + "\n";
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (k == estimated) table += toned("  derived", Tone::strong, colour) + "\n";
    table += estimate_row(*all[k], name_of(*all[k], problem), columns, colour);
  }
  return table + legend(all, width) + "\n";
}

std::string constraints_lines(const FitResult& result, bool colour) {
  constexpr std::size_t widest_constraint = 60;
  std::string text;
  for (const auto& constraint : result.constraints) {
    text += "  " + shorten(printable(constraint.text), widest_constraint);
    const bool is_open = result.status == Status::infeasible && !constraint.active;  // it may be one that is violated
    if (!constraint.is_equality && !is_open)
      text += constraint.active ? "  " + toned("active", Tone::doubtful, colour) : "  not active";
    text += "\n";
  }
  return text.empty() ? text : "  subject to\n" + text + "\n";
}

// One line for each network; its weights are in estimates.tsv.
std::string networks_lines(const model::Problem& problem, const FitResult& result) {
  std::string text;
  for (const auto& network : problem.networks) {
    std::vector<double> weights;
    std::size_t estimated = 0;
    for (int k = 0; k < static_cast<int>(problem.parameters.size()); ++k) {
      if (!problem.parameters[k].is_estimated()) continue;
      if (network.owns(k) && estimated < result.parameters.size())
        weights.push_back(result.parameters[estimated].estimate);
      ++estimated;
    }
    if (weights.empty()) continue;
    const auto [least, most] = std::minmax_element(weights.begin(), weights.end());
    text += fmt::format("  network {}: {}, {} .. {}\n", network.id, counted(std::ssize(weights), "weight"),
                        rounded(*least, 0.01), rounded(*most, 0.01));
  }
  return text.empty() ? text : text + "\n";
}

// Fewer than forty measurements for each quantity: the correction of AIC matters ([BurnhamAnderson02]).
bool is_small(const FitResult& result) {
  const double quantities = 0.5 * (*result.aic + 2 * result.llh);
  return result.measurements < 40 * quantities;
}

std::string goodness(const FitResult& result, std::size_t width) {
  if (!std::isfinite(result.chi2)) return {};  // nothing could be evaluated; the message says why
  if (result.is_torn) return wrapped("no likelihood: the trajectories are not joined", 2, width);
  std::string chi2 =
      fmt::format("chi2 {} with {} {} of freedom", rounded(result.chi2), amount_text(result.degrees_of_freedom),
                  result.degrees_of_freedom == 1 ? "degree" : "degrees");
  if (result.p_value) chi2 += fmt::format(" (p = {:.2g})", *result.p_value);
  std::string likelihood = fmt::format("log-likelihood {}", rounded(result.llh));
  if (result.aic && result.bic)
    likelihood += fmt::format(", AIC {}, BIC {}", rounded(*result.aic), rounded(*result.bic));
  if (result.aic && result.aicc && is_small(result)) likelihood += fmt::format(", AICc {}", rounded(*result.aicc));
  std::string text = wrapped(chi2, 2, width) + wrapped(likelihood, 2, width);
  constexpr double suspicious = 0.01;
  if (result.status == Status::converged && result.p_value && *result.p_value < suspicious)
    text +=
        wrapped(result.chi2 > result.measurements
                    ? "The residuals are larger than the stated noise explains: the model or the noise may be wrong."
                    : "The data and the priors contradict each other: one of them, or the model, may be wrong.",
                2, width);
  return text;
}

std::string grid_line(const FitResult& result, std::size_t width) {
  if (!result.grid_error) return {};
  const GridError& grid = *result.grid_error;
  std::string text = fmt::format("{} cells, {} unknowns", grid.cells, grid.unknowns);
  if (grid.peclet > 0) text += fmt::format(", cell Peclet number {:.2g}", grid.peclet);
  if (!grid.trouble.empty()) return wrapped(text + "; what they do to the estimates is not known", 2, width);
  const std::string_view moved = grid.parameters.empty()
                                     ? "predictions by at most {:.2g} standard deviations of the noise"
                                     : "estimates by at most {:.2g} standard errors";
  return wrapped(text + "; they move " + fmt::format(fmt::runtime(moved), grid.largest), 2, width);
}

std::string effort(const FitResult& result, std::size_t width) {
  return wrapped(
      fmt::format("{} on {}, {}: {}, {:.2g} s", model::to_string(result.method), counted(result.nodes, "node"),
                  result.integrator, counted(result.iterations, "iteration"), result.work.seconds),
      2, width);
}

std::string validation_line(const FitResult& result, std::size_t width) {
  if (result.validation.empty()) return {};
  double chi2 = 0;
  for (const auto& prediction : result.validation) chi2 += prediction.residual * prediction.residual;
  const auto count = static_cast<long>(result.validation.size());
  return wrapped(fmt::format("data not fitted: chi2 {} for {}, rms {:.3g} sigma", rounded(chi2),
                             counted(count, "value"), std::sqrt(chi2 / static_cast<double>(count))),
                 2, width);
}

// Answers that fit as well, or nearly; fit.json has all of them.
std::string alternatives_lines(const FitResult& result, std::size_t width) {
  constexpr std::size_t enough = 5;
  std::string text;
  for (std::size_t k = 0; k < std::min(result.alternatives.size(), enough); ++k) {
    const Alternative& each = result.alternatives[k];
    text += wrapped(each.sentence, 4, width);
    std::string values;
    for (const auto& [id, value] : each.parameters)
      values += fmt::format("{}{} {}", values.empty() ? "" : ", ", printable(id), rounded(value));
    text += wrapped(fmt::format("objective {}: {}", rounded(each.objective), values), 6, width);
  }
  if (result.alternatives.size() > enough)
    text += fmt::format("    and {} more in fit.json\n", result.alternatives.size() - enough);
  return text.empty() ? text : "  other answers\n" + text + "\n";
}

Tone tone_of(Status status) {
  switch (status) {
    case Status::converged: return Tone::good;
    case Status::max_iterations:
    case Status::max_time:
    case Status::interrupted:
    case Status::stalled: return Tone::doubtful;
    case Status::infeasible:
    case Status::numerical_failure: return Tone::bad;
  }
  return Tone::plain;
}

}  // namespace

// What was not measured is left out.
std::string certificate_line(const FitResult& result) {
  const solve::Certificate& certificate = result.certificate;
  std::string text = fmt::format("certificate: gap {:.2g}", certificate.gap);
  if (certificate.gain) text += fmt::format(", a further step gains {:.2g}", *certificate.gain);
  if (certificate.resolution) text += fmt::format(", resolution {:.2g}", *certificate.resolution);
  if (certificate.integration)
    text += fmt::format(", errors of integration at most {:.2g} standard errors", *certificate.integration);
  if (certificate.contraction) text += fmt::format(", contraction {:.2g}", *certificate.contraction);
  if (certificate.rank) text += fmt::format(", rank {} of {}", *certificate.rank, result.certificate_ids.size());
  if (!certificate.is_resolved) text += ", lost in errors of integration";
  if (certificate.is_of_nodes) text += ", of the nodes alone";
  if (certificate.is_flat) text += ", flat";
  for (const solve::Probe& probe : certificate.probes)
    text += fmt::format(", a probe found it {} ({:+.2g})", solve::to_string(probe.verdict), probe.change);
  return text + (certificate.missing.empty() ? "\n" : "; not proved: " + certificate.missing + "\n");
}

std::string fit_summary(const model::Problem& problem, const FitResult& result, bool colour, std::size_t width) {
  std::string text;
  if (!problem.title.empty()) text += toned(shorten(printable(problem.title), width), Tone::strong, colour) + "\n\n";
  text += estimates_table(problem, result, colour, width) + networks_lines(problem, result);
  text += constraints_lines(result, colour);
  text += goodness(result, width) + validation_line(result, width) + grid_line(result, width) + effort(result, width) +
          "\n";
  text += alternatives_lines(result, width);
  if (const std::string optima = optima_table(result, colour, width); !optima.empty()) text += optima + "\n";
  std::string outcome = wrapped(result.message, 0, width);
  if (outcome.empty())
    outcome = fmt::format("{} after {}\n", to_string(result.status), counted(result.iterations, "iteration"));
  return text + toned(outcome, tone_of(result.status), colour);
}

}  // namespace salvo::report
