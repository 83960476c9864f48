#include "runs/dealer.hpp"

#include <algorithm>

namespace salvo::runs {
namespace {

constexpr std::size_t rounds = 4;  // a member asks so often while half of what is left is done

}  // namespace

void Dealer::open(const std::vector<int>& left) {
  ++list_;
  is_closed_ = false;
  left_.assign(left.begin(), left.end());
  given_.clear();
}

Dealer::Deal Dealer::deal(int member, int list, std::size_t most) {
  if (list < list_) return {.is_over = true};
  if (list > list_) return {};  // not opened yet
  if (is_over()) return {.is_over = true};
  const std::size_t share = left_.size() / (rounds * static_cast<std::size_t>(members_));
  const std::size_t count = std::min({left_.size(), most, std::max<std::size_t>(1, share)});
  Deal deal;
  for (std::size_t n = 0; n < count; ++n) {
    deal.tasks.push_back(left_.front());
    given_[left_.front()] = member;
    left_.pop_front();
  }
  return deal;
}

void Dealer::finished(int member, int task) {
  const auto given = given_.find(task);
  if (given != given_.end() && given->second == member) given_.erase(given);
}

void Dealer::leave(int member) {
  for (auto given = given_.begin(); given != given_.end();) {
    const bool is_his = given->second == member;
    if (is_his) left_.push_back(given->first);
    given = is_his ? given_.erase(given) : std::next(given);
  }
}

}  // namespace salvo::runs
