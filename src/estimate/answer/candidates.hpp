#pragma once

#include <memory>
#include <string>
#include <vector>

#include "estimate/answer/comparison.hpp"
#include "estimate/quantities.hpp"
#include "estimate/ways/way.hpp"

namespace salvo::estimate {

// An answer that fits as well as the best, or nearly.
struct OtherAnswer {
  std::vector<double> estimates{};  // on the scales, in the order of `quantities`
  double objective = 0;
  double motion = 1;       // times that of the best
  std::string mirrored{};  // how it was made of the best, if it was
};

// All answers that a fit has come to: which of them is the best, and which others fit as well. Two answers are the same
// only if what they estimate agrees, as far as the data tell it; their objectives do not decide.
class Candidates {
 public:
  explicit Candidates(const Workspace& workspace);

  void add(Found found);
  void add(std::vector<Found> found);  // that need not be laid on their nodes
  bool empty() const { return all_.empty(); }
  const Found& best() const { return all_[best_]; }
  std::string_view rule() const { return rule_; }  // by which it is the best
  std::size_t index_of_best() const { return best_; }
  const std::vector<Found>& all() const { return all_; }

  // Whether two of them are one answer.
  bool are_same(const Answer& a, const Answer& b) const;
  // Those that are proved and not worse than the best by more than is told, each once, the best fitting first.
  std::vector<OtherAnswer> others() const;
  std::vector<Answer> other_proved() const;  // whatever their objective
  Found take_best() { return std::move(all_[best_]); }
  // From the best to the worst, as a table lists them.
  std::vector<std::size_t> ranked() const { return estimate::ranked(merits_, best_); }

 private:
  void choose_best();
  Merits merits_of(const Answer& answer) const;
  double motion_of_answer(const Found& found) const;
  double distance_from_guess(const Answer& answer) const;
  bool is_valley_between(const Answer& a, const Answer& b) const;
  enum class Path { straight, by_ratios };  // from one to the other on their scales, or with every quantity by a factor
  bool is_level_between(const Answer& a, const Answer& b, Path path) const;

  const Workspace& workspace_;
  const AnswerRules& rules_;
  std::vector<Found> all_{};
  std::vector<Merits> merits_{};
  std::size_t best_ = 0;
  std::string_view rule_{};
  std::unique_ptr<shooting::ShootingProblem> unbroken_{};  // and what is estimated, once there are several
  std::vector<Quantity> quantities_{};
};

}  // namespace salvo::estimate
