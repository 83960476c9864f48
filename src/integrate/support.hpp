#pragma once

#include <vector>

#include "compile/compiled_model.hpp"

namespace salvo::integrate {

// The numbers of a vector that can differ from zero by the structure of the equations. Derivatives of large sparse
// models spread from state to state with each product, and sweeps skip what they have not reached yet.
class Support {
 public:
  explicit Support(int size) : contains_(size, false) {}

  const std::vector<int>& members() const { return members_; }
  // Most of it is reached: skipping does not pay any more.
  bool is_wide() const { return 2 * members_.size() > contains_.size(); }

  void add(int index) {
    if (contains_[index]) return;
    contains_[index] = true;
    members_.push_back(index);
  }
  void add_line(const compile::Lines& lines, int i) {
    for (int k = lines.start[i]; k < lines.start[i + 1]; ++k) add(lines.across[k]);
  }
  // Adds what so many products reach; one product takes a number to those across its line.
  void widen(const compile::Lines& lines, int products) {
    for (; products > 0; --products)
      for (std::size_t end = members_.size(); spread_ < end; ++spread_) add_line(lines, members_[spread_]);
  }

 private:
  std::vector<bool> contains_;
  std::vector<int> members_;
  std::size_t spread_ = 0;  // members whose lines have been added
};

// Ranges over which the parts of a sweep loop: everything, or what a support holds.
struct All {
  int count = 0;
  int size() const { return count; }
  int operator[](int k) const { return k; }
};
struct Some {
  const std::vector<int>& members;
  int size() const { return static_cast<int>(members.size()); }
  int operator[](int k) const { return members[k]; }
};

}  // namespace salvo::integrate
