#include "start/tangent_pattern.hpp"

#include <algorithm>

#include "start/slopes_by_row.hpp"

namespace salvo::start {
namespace {

// What each state depends on, grown until nothing is new.
class Dependence {
 public:
  Dependence(int states, int unknowns)
      : unknowns_(unknowns), depends_(static_cast<std::size_t>(states) * unknowns, 0) {}

  char& at(int state, int unknown) { return depends_[static_cast<std::size_t>(state) * unknowns_ + unknown]; }
  bool take_over(int state, int from) {
    bool is_new = false;
    for (int k = 0; k < unknowns_; ++k) {
      if (!at(from, k) || at(state, k)) continue;
      at(state, k) = 1;
      is_new = true;
    }
    return is_new;
  }

 private:
  int unknowns_;
  std::vector<char> depends_;
};

}  // namespace

int TangentPattern::place(int row, int unknown) const {
  return static_cast<int>(std::lower_bound(column.begin() + start[row], column.begin() + start[row + 1], unknown) -
                          column.begin());
}

TangentPattern tangent_pattern(const compile::CompiledModel& model, const shooting::ExperimentValues& values,
                               int thetas, int unknowns, const std::vector<char>& simulated,
                               const std::vector<char>& begins_free) {
  const compile::Pattern& f_x = model.f_x;
  const compile::Pattern& f_p = model.f_p;
  const SlopesByRow p_by_theta(values.p_by_theta, model.active);
  Dependence dependence(model.states, unknowns);
  for (int z = 0; z < f_p.size(); ++z)
    for (const shooting::Slope& slope : p_by_theta.of(f_p.column[z])) dependence.at(f_p.row[z], slope.column) = 1;
  for (const shooting::Slope& slope : values.s0_by_theta)
    if (begins_free[slope.row]) dependence.at(slope.row, slope.column) = 1;
  for (const shooting::Slope& slope : values.s0_by_block)
    if (begins_free[slope.row]) dependence.at(slope.row, thetas + slope.column) = 1;
  for (bool grows = true; grows;) {
    grows = false;
    for (int z = 0; z < f_x.size(); ++z)
      if (simulated[f_x.column[z]] && dependence.take_over(f_x.row[z], f_x.column[z])) grows = true;
  }

  TangentPattern out;
  for (int i = 0; i < model.states; ++i) {
    for (int k = 0; k < unknowns; ++k)
      if (dependence.at(i, k)) out.column.push_back(k);
    out.start.push_back(out.entries());
  }
  for (int z = 0; z < f_x.size(); ++z)
    for (int e = out.start[f_x.column[z]]; e < out.start[f_x.column[z] + 1] && simulated[f_x.column[z]]; ++e)
      out.products.push_back({z, e, out.place(f_x.row[z], out.column[e])});
  for (int z = 0; z < f_p.size(); ++z)
    for (const shooting::Slope& slope : p_by_theta.of(f_p.column[z]))
      out.formulas.push_back({f_x.size() + z, slope.value, out.place(f_p.row[z], slope.column)});
  return out;
}

}  // namespace salvo::start
