#include "words/how_found.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace salvo::words {
namespace {

// What mirror images come to is told as alternatives, and of a look back that found nothing there is nothing to tell.
bool is_no_way(const estimate::TriedWay& tried) {
  return tried.way == &estimate::mirror || (tried.way == &estimate::way_back && !tried.is_best);
}

}  // namespace

std::string how_it_was_found(const estimate::Estimation& estimation) {
  std::vector<estimate::TriedWay> tried = estimation.tried;
  std::erase_if(tried, is_no_way);
  if (tried.size() < 2) return {};
  std::size_t best = 0;  // the way that found the answer
  for (std::size_t n = 0; n < tried.size(); ++n)
    if (tried[n].is_best) best = n;
  const bool is_proved = estimate::is_proved(estimation.best.answer);
  if (is_proved && !estimation.is_credible) return " None of the fits that were found agrees with the stated noise.";
  if (!is_proved) return {};
  if (best == 0) return " Also looked for others; none was better.";
  const auto before = tried.begin() + static_cast<std::ptrdiff_t>(best);
  const auto proved = std::find_if(tried.begin(), before, [](const auto& each) { return each.is_proved; });
  if (proved != before)
    return fmt::format(" Found by {}, which gave a better fit than {}.", tried[best].way->says, proved->way->says);
  return fmt::format(" Found by {}; {} led to no minimum.", tried[best].way->says, tried[0].way->says);
}

}  // namespace salvo::words
