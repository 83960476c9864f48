#include "words/worst_gap.hpp"

#include <fmt/format.h>

#include <cmath>

namespace salvo::words {
namespace {

struct Place {
  int chain = -1;
  int link = -1;
  int state = -1;
};

Place largest_gap(const shooting::ShootingProblem& shooting, const nlp::Point& q) {
  Place place;
  nlp::Blocks blocks;
  if (!shooting.values(q, blocks).ok) return place;
  const std::vector<double> sizes = shooting.sizes(q);
  double largest = -1;
  for (int c = 0; c < static_cast<int>(blocks.chains.size()); ++c) {
    const nlp::Layout::Chain& chain = shooting.layout().chains[c];
    for (int j = 0; j < chain.links(); ++j) {
      const std::vector<double>& gap = blocks.chains[c].links[j].gap;
      for (int i = 0; i < static_cast<int>(gap.size()); ++i) {
        const double relative = std::abs(gap[i]) / sizes[chain.offset[j + 1] + i];
        if (relative > largest) largest = relative, place = {c, j, i};
      }
    }
  }
  return place;
}

}  // namespace

std::string worst_gap_in_words(const shooting::ShootingProblem& shooting, const nlp::Point& q) {
  const Place place = largest_gap(shooting, q);
  if (place.state < 0) return {};
  const shooting::Grid& grid = shooting.grids()[place.chain];
  const int before = place.link + 1;
  std::string text =
      fmt::format("{} at t = {:.5g}", shooting.problem().states[place.state].id, grid.tau[place.link + 1]);
  text += before < grid.intervals()
              ? fmt::format(", between intervals {} and {} of {}", before, before + 1, grid.intervals())
              : fmt::format(", the end of interval {} of {}", before, grid.intervals());
  if (shooting.grids().size() > 1)
    text += fmt::format(" of experiment '{}'", shooting.problem().experiments[grid.experiment].id);
  return text;
}

}  // namespace salvo::words
