#include "results/optima.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace salvo {
namespace {

using Parameters = std::vector<std::pair<std::string, double>>;

bool same_parameters(const Parameters& a, const Parameters& b, const std::vector<double>& sizes) {
  constexpr double relative = 1e-3;
  for (std::size_t k = 0; k < a.size(); ++k)
    if (std::abs(a[k].second - b[k].second) > relative * sizes[k]) return false;
  return true;
}

std::vector<double> sizes_of(const std::vector<const StartResult*>& starts) {
  std::vector<double> sizes;
  for (const StartResult* start : starts) {
    sizes.resize(start->parameters.size());
    for (std::size_t k = 0; k < sizes.size(); ++k) sizes[k] = std::max(sizes[k], std::abs(start->parameters[k].second));
  }
  return sizes;
}

}  // namespace

std::vector<Optimum> distinct_optima(const std::vector<StartResult>& starts) {
  std::vector<const StartResult*> converged;
  for (const StartResult& start : starts)
    if (start.status == Status::converged) converged.push_back(&start);
  std::stable_sort(converged.begin(), converged.end(),
                   [](const StartResult* a, const StartResult* b) { return a->minimum < b->minimum; });
  const std::vector<double> sizes = sizes_of(converged);
  std::vector<Optimum> optima;
  int last = -1;
  for (const StartResult* start : converged) {
    if (optima.empty() || start->minimum != last)
      optima.push_back({.objective = start->objective, .parameters = start->parameters});
    last = start->minimum;
    Optimum& optimum = optima.back();
    optimum.starts.push_back(start->start);
    optimum.is_one_point = optimum.is_one_point && same_parameters(optimum.parameters, start->parameters, sizes);
  }
  return optima;
}

namespace {

// Reasons that differ in their numbers alone are one reason: two starts hardly fail at the same time.
std::string without_numbers(const std::string& text) {
  std::string out;
  for (const char c : text)
    if ((c < '0' || c > '9') && c != '.') out += c;
  return out;
}

std::string usual_reason(const std::vector<const StartResult*>& starts) {
  std::map<std::string, int> counts;
  for (const StartResult* start : starts)
    if (!start->message.empty()) ++counts[without_numbers(start->message)];
  const StartResult* usual = nullptr;
  for (const StartResult* start : starts) {
    if (start->message.empty()) continue;
    if (usual == nullptr || counts[without_numbers(start->message)] > counts[without_numbers(usual->message)])
      usual = start;
  }
  return usual == nullptr ? "" : usual->message;
}

}  // namespace

std::vector<Failures> not_converged(const std::vector<StartResult>& starts) {
  std::map<Status, std::vector<const StartResult*>> ended;
  for (const StartResult& start : starts)
    if (start.status != Status::converged) ended[start.status].push_back(&start);
  std::vector<Failures> failures;
  for (const auto& [status, those] : ended)
    failures.push_back({.status = status, .count = static_cast<int>(those.size()), .reason = usual_reason(those)});
  return failures;
}

}  // namespace salvo
