#include "fit/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/distributions.hpp"

namespace salvo::fit {
namespace {

using Criterion = std::optional<double> ComparedFit::*;

Issue refusal(std::string message, std::string hint) {
  return {.kind = Issue::Kind::invalid, .message = std::move(message), .hint = std::move(hint)};
}

Issues check(const std::vector<ComparedFit>& fits) {
  Issues issues;
  for (const ComparedFit& fit : fits) {
    if (fit.data != fits.front().data)
      issues.push_back(refusal(fmt::format("{} and {} are not fits to the same data", fits.front().name, fit.name),
                               "likelihoods can be compared only where experiments, observables, times and values are "
                               "the same"));
    else if (!fit.aic)
      issues.push_back(refusal(fmt::format("{} has no information criteria: its trajectories are not joined", fit.name),
                               "compare fits that have converged"));
  }
  return issues;
}

bool all_have(const std::vector<Comparison::Row>& rows, Criterion criterion) {
  return std::all_of(rows.begin(), rows.end(), [&](const auto& row) { return (row.fit.*criterion).has_value(); });
}

void rank(std::vector<Comparison::Row>& rows, Criterion criterion, Ranked Comparison::Row::*to) {
  if (!all_have(rows, criterion)) return;
  double least = *(rows.front().fit.*criterion);
  for (const auto& row : rows) least = std::min(least, *(row.fit.*criterion));
  double sum = 0;
  for (const auto& row : rows) sum += std::exp(-0.5 * (*(row.fit.*criterion) - least));
  for (auto& row : rows) {
    const double delta = *(row.fit.*criterion) - least;
    row.*to = {.delta = delta, .weight = std::exp(-0.5 * delta) / sum};
  }
}

// The larger model estimates all that the smaller one does, and what it estimates besides are constants there; all else
// is the same.
bool is_within(const ComparedFit& smaller, const ComparedFit& larger) {
  if (smaller.model != larger.model || smaller.estimated.size() >= larger.estimated.size()) return false;
  const bool estimates_all = std::includes(larger.estimated.begin(), larger.estimated.end(), smaller.estimated.begin(),
                                           smaller.estimated.end());
  const bool same_constants = std::all_of(larger.fixed.begin(), larger.fixed.end(), [&](const auto& constant) {
    const auto its = smaller.fixed.find(constant.first);
    return its != smaller.fixed.end() && its->second == constant.second;
  });
  return estimates_all && same_constants;
}

// None of fits with priors: twice the difference is then not chi-squared.
void add_ratios(bool nested, Comparison& comparison) {
  for (const Comparison::Row& one : comparison.rows)
    for (const Comparison::Row& other : comparison.rows) {
      const ComparedFit& smaller = one.fit;
      const ComparedFit& larger = other.fit;
      const int more = static_cast<int>(larger.estimated.size()) - static_cast<int>(smaller.estimated.size());
      const bool has_prior = smaller.log_prior != 0 || larger.log_prior != 0;
      if (more <= 0 || has_prior || !(nested || is_within(smaller, larger))) continue;
      const double statistic = 2 * (larger.llh - smaller.llh);
      comparison.ratios.push_back({.smaller = smaller.name,
                                   .larger = larger.name,
                                   .statistic = statistic,
                                   .degrees_of_freedom = more,
                                   .p_value = chi_squared_survival(std::max(statistic, 0.0), more)});
    }
}

void add_remarks(Comparison& comparison) {
  constexpr double rounding = 1e-6;
  bool has_prior = false;
  for (const auto& row : comparison.rows) {
    has_prior |= row.fit.log_prior != 0;
    if (!row.fit.converged)
      comparison.remarks.push_back(
          fmt::format("{} has not converged: its likelihood may lie higher than is known.", row.fit.name));
  }
  if (has_prior) comparison.remarks.push_back("Some of the fits have priors: their likelihood ratios are not tested.");
  for (const LikelihoodRatio& ratio : comparison.ratios)
    if (ratio.statistic < -rounding * std::abs(comparison.rows.front().fit.llh))
      comparison.remarks.push_back(
          fmt::format("{} fits worse than {}, which is a special case of it: it has not found its best answer.",
                      ratio.larger, ratio.smaller));
}

std::string sentence(const Comparison& comparison) {
  constexpr double hardly = 2;  // [BurnhamAnderson02]: within it a model has substantial support
  const char* name = comparison.by_aicc ? "AICc" : "AIC";
  const auto ranked = comparison.by_aicc ? &Comparison::Row::aicc : &Comparison::Row::aic;
  std::string close;
  for (const auto& row : comparison.rows)
    if (&row != &comparison.rows.front() && *(row.*ranked).delta <= hardly)
      close += (close.empty() ? "" : ", ") + row.fit.name;
  const std::string& best = comparison.rows.front().fit.name;
  if (close.empty()) return fmt::format("{} has the smallest {}.", best, name);
  return fmt::format("{} has the smallest {}, but {} lies within {:g} of it: the data hardly tell them apart.", best,
                     name, close, hardly);
}

}  // namespace

double ComparedFit::k() const { return aic ? 0.5 * *aic + llh : 0; }

Result<Comparison> compare(std::vector<ComparedFit> fits, bool nested) {
  if (Issues issues = check(fits); !issues.empty()) return issues;
  Comparison out;
  for (ComparedFit& fit : fits) out.rows.push_back({.fit = std::move(fit)});
  rank(out.rows, &ComparedFit::aic, &Comparison::Row::aic);
  rank(out.rows, &ComparedFit::aicc, &Comparison::Row::aicc);
  rank(out.rows, &ComparedFit::bic, &Comparison::Row::bic);
  out.by_aicc = all_have(out.rows, &ComparedFit::aicc);
  const Criterion first = out.by_aicc ? &ComparedFit::aicc : &ComparedFit::aic;
  std::stable_sort(out.rows.begin(), out.rows.end(),
                   [&](const auto& a, const auto& b) { return *(a.fit.*first) < *(b.fit.*first); });
  add_ratios(nested, out);
  add_remarks(out);
  out.sentence = sentence(out);
  return out;
}

}  // namespace salvo::fit
