#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <vector>

namespace salvo::runs {

// Gives out the tasks of one list after the other to the members of a team, who ask whenever they have none. It knows
// nothing of time, threads or messages; members count from 0.
class Dealer {
 public:
  explicit Dealer(int members) : members_(members) {}

  // The next list, of which these tasks are left.
  void open(const std::vector<int>& left);
  int list() const { return list_; }  // how many were opened so far

  // What to answer to a member that asks for tasks of a list.
  struct Deal {
    std::vector<int> tasks{};
    bool is_over = false;  // nothing of this list is left, or nobody waits for it; without tasks and not over: later
  };
  // Many at first and few at the end, so that few questions are asked and all end together; never more than `most`.
  Deal deal(int member, int list, std::size_t most);

  void finished(int member, int task);
  // The member does no more: what it had is for others.
  void leave(int member);
  // Nobody waits for the rest of this list.
  void close() { is_closed_ = true; }

  bool is_over() const { return is_closed_ || (left_.empty() && given_.empty()); }

 private:
  int members_;
  int list_ = 0;
  bool is_closed_ = false;
  std::deque<int> left_{};
  std::map<int, int> given_{};  // task to member
};

}  // namespace salvo::runs
