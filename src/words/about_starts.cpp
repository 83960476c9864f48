#include "words/about_starts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/words.hpp"
#include "results/optima.hpp"

namespace salvo::words {
namespace {

// Neither the time nor an interruption has ended it.
bool is_finished(const StartResult& start) {
  return start.status != Status::max_time && start.status != Status::interrupted;
}

}  // namespace

std::string about_starts(const std::vector<StartResult>& starts) {
  const auto finished = std::count_if(starts.begin(), starts.end(), is_finished);
  const std::string cut =
      finished == std::ssize(starts)
          ? ""
          : fmt::format(" Only {} finished.", finished == 1 ? "1 was" : fmt::format("{} were", finished));
  const std::vector<Optimum> optima = distinct_optima(starts);
  if (optima.empty())
    return starts.size() == 1 ? "The start did not converge." + cut
                              : fmt::format("None of {} starts converged.{}", starts.size(), cut);
  std::size_t converged = 0;
  for (const Optimum& optimum : optima) converged += optimum.starts.size();
  if (starts.front().status != Status::converged)  // the answer lies lower than all that did
    return fmt::format("{} of {} starts converged, to {} where the fit is worse than here.{}", converged, starts.size(),
                       optima.size() == 1 ? "a point" : "points", cut);
  if (optima.size() == 1)
    return fmt::format("{} of {} starts converged, all of them to this optimum.{}", converged, starts.size(), cut);
  return fmt::format("{} of {} starts converged, {} of them to the best of {} optima.{}", converged, starts.size(),
                     optima.front().starts.size(), optima.size(), cut);
}

}  // namespace salvo::words
