#include "pictures/picture_times.hpp"

#include <algorithm>
#include <iterator>
#include <span>

#include "shooting/measurements_by_time.hpp"

namespace salvo::pictures {
namespace {

constexpr int few_times = 3;             // measurement times of one piece that a straight line may join
constexpr double far_more = 5;           // times the share of a piece
constexpr std::size_t most_added = 100;  // times added to one piece, middles not counted

void add_crowd(std::vector<double>& times, double begin, std::span<const double> crowd) {
  const std::size_t stride = (crowd.size() + most_added - 1) / most_added;
  double before = begin;
  for (std::size_t k = 0; k < crowd.size(); k += stride) {
    times.push_back(before + (crowd[k] - before) / 2);
    times.push_back(crowd[k]);
    before = crowd[k];
  }
}

}  // namespace

PictureTimes::PictureTimes(const model::Problem& problem) : measured_(shooting::measured_times(problem)) {
  for (const model::Experiment& experiment : problem.experiments) predicted_.push_back(experiment.predicted_at);
}

std::vector<double> PictureTimes::between(int experiment, double begin, double end, int pieces) const {
  const std::vector<double>& measured = measured_[experiment];
  const auto in = [&](double from, double to) {  // inside, without the ends
    const auto first = std::upper_bound(measured.begin(), measured.end(), from);
    return std::span<const double>(first, std::max(first, std::lower_bound(measured.begin(), measured.end(), to)));
  };
  const double share = static_cast<double>(in(begin, end).size()) / pieces;
  std::vector<double> times{begin};
  for (int k = 1; k <= pieces; ++k) {
    const double from = begin + (end - begin) * (k - 1) / pieces;
    const double to = k == pieces ? end : begin + (end - begin) * k / pieces;
    const auto inside = in(from, to);
    if (inside.size() > few_times && static_cast<double>(inside.size()) > far_more * share)
      add_crowd(times, from, inside);
    times.push_back(to);
  }
  const auto is_inside = [&](double time) { return time > begin && time < end; };
  const std::size_t regular = times.size();
  std::copy_if(predicted_[experiment].begin(), predicted_[experiment].end(), std::back_inserter(times), is_inside);
  std::inplace_merge(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(regular), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

}  // namespace salvo::pictures
