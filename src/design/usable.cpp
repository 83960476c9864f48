#include "design/usable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/words.hpp"

namespace salvo::design {
namespace {

// The candidates of one experiment, by time: looks for the first at which nothing can be computed by halving, and then
// on from there.
class Search {
 public:
  Search(const Information& information, std::span<const Column> columns, const std::vector<Sample>& samples)
      : information_(information), columns_(columns), samples_(samples) {}

  std::vector<int> good_of(std::vector<int> left) {
    std::stable_sort(left.begin(), left.end(), [&](int a, int b) { return samples_[a].time < samples_[b].time; });
    std::vector<int> good;
    while (!left.empty()) {
      std::size_t works = 0, fails = left.size();  // so many of the first ones
      if (can_do(left, fails)) works = fails;
      while (fails - works > 1) {
        const std::size_t middle = (works + fails) / 2;
        (can_do(left, middle) ? works : fails) = middle;
      }
      good.insert(good.end(), left.begin(), left.begin() + static_cast<long>(works));
      left.erase(left.begin(), left.begin() + static_cast<long>(works));
      if (left.empty()) break;
      const Sample& bad = samples_[left.front()];
      const bool ends_here = !information_.reaches(bad.experiment, bad.time);
      if (ends_here) drop_at_the_edge(bad, good);
      left.erase(left.begin());
      if (ends_here) break;
    }
    return good;
  }
  const std::string& trouble() const { return trouble_; }

 private:
  // What stands on a pole itself is computed, by rounding, as a very large number.
  void drop_at_the_edge(const Sample& bad, std::vector<int>& good) const {
    constexpr double near = 1e-3;  // of the way to the one beyond it
    const auto is_at_edge = [&](const Sample& sample) {
      return !information_.reaches(sample.experiment, sample.time + near * (bad.time - sample.time));
    };
    while (!good.empty() && is_at_edge(samples_[good.back()])) good.pop_back();
  }

  bool can_do(const std::vector<int>& list, std::size_t count) {
    std::vector<Sample> asked;
    for (std::size_t i = 0; i < count; ++i) asked.push_back(samples_[list[i]]);
    const Information::Rows found = information_.rows(asked, columns_);
    if (!found.ok) trouble_ = found.trouble;
    return found.ok;
  }

  const Information& information_;
  std::span<const Column> columns_;
  const std::vector<Sample>& samples_;
  std::string trouble_;
};

void keep(Candidates& candidates, const std::vector<int>& good) {
  Candidates kept;
  for (const int i : good) {
    kept.samples.push_back(candidates.samples[i]);
    kept.cost.push_back(candidates.cost[i]);
    kept.limit.push_back(candidates.limit[i]);
  }
  candidates = std::move(kept);
}

}  // namespace

std::string keep_usable(const Information& information, std::span<const Column> columns, Candidates& candidates) {
  if (information.rows(candidates.samples, columns).ok) return {};
  std::map<int, std::vector<int>> of_experiment;
  for (int i = 0; i < static_cast<int>(candidates.samples.size()); ++i)
    of_experiment[candidates.samples[i].experiment].push_back(i);
  std::vector<int> good;
  Search search(information, columns, candidates.samples);
  for (const auto& [experiment, all] : of_experiment) {
    const std::vector<int> its = search.good_of(all);
    good.insert(good.end(), its.begin(), its.end());
  }
  std::sort(good.begin(), good.end());
  const std::size_t lost = candidates.samples.size() - good.size();
  std::string text =
      fmt::format("{} left out, because nothing can be computed there: {}.",
                  counted(static_cast<long>(lost), "candidate was", "candidates were"), search.trouble());
  keep(candidates, good);
  return lost > 0 ? text : std::string{};
}

}  // namespace salvo::design
