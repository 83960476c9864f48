#include "solve/elimination/elimination.hpp"

#include <algorithm>
#include <optional>

#include "nlp/constraints.hpp"
#include "solve/elimination/full_rank_elimination.hpp"
#include "solve/elimination/general_elimination.hpp"

namespace salvo::solve {

struct Elimination::Implementation {
  const nlp::Layout* layout = nullptr;
  std::vector<double> sizes{};
  CondensedChains condensed{};
  FullRankElimination plain{};
  std::optional<GeneralElimination> general{};  // where it is not plain
};

Elimination::Elimination() : implementation_(std::make_unique<Implementation>()) {}
Elimination::Elimination(const nlp::Layout& layout) : Elimination() { begin(layout); }
Elimination::Elimination(const nlp::Layout& layout, const nlp::Blocks& blocks, const std::vector<double>& sizes,
                         double rank_tolerance)
    : Elimination(layout) {
  take(blocks, sizes, rank_tolerance);
}

Elimination::~Elimination() = default;
Elimination::Elimination(Elimination&&) noexcept = default;
Elimination& Elimination::operator=(Elimination&&) noexcept = default;

void Elimination::begin(const nlp::Layout& layout) { implementation_->layout = &layout; }

void Elimination::take(const nlp::Blocks& blocks, const std::vector<double>& sizes, double rank_tolerance) {
  Implementation& self = *implementation_;
  self.sizes = sizes;
  self.condensed.take(*self.layout, blocks, self.sizes);
  const bool is_full_rank = self.condensed.all() && !nlp::has_constraints(blocks) &&
                            self.plain.take(*self.layout, blocks, self.sizes, self.condensed.chains, rank_tolerance);
  self.general.reset();
  if (!is_full_rank) self.general.emplace(*self.layout, blocks, self.sizes, self.condensed, rank_tolerance);
}

void Elimination::solve(const nlp::Blocks& blocks, const nlp::Point& q, Step& step) {
  Implementation& self = *implementation_;
  if (self.general) {
    step = self.general->solve(blocks, q);
    return;
  }
  step.active.clear();
  step.multipliers.clear();
  step.conflict = {};
  self.plain.solve(blocks, q, step.delta, step.held);
}

Elimination::Step Elimination::solve(const nlp::Blocks& blocks, const nlp::Point& q) {
  Step step;
  solve(blocks, q, step);
  return step;
}

void Elimination::correct(const nlp::Blocks& blocks, const Step& step, std::vector<double>& delta) {
  Implementation& self = *implementation_;
  if (self.general)
    delta = self.general->correct(blocks, step);
  else
    self.plain.correct(blocks, step.held, delta);
}

bool Elimination::can_descend(const Step& step) const {
  const Implementation& self = *implementation_;
  return !self.general && self.plain.sees_all_of_theta() &&
         std::find(step.held.begin(), step.held.end(), true) == step.held.end();
}

void Elimination::descend(const nlp::Blocks& gaps, const std::vector<double>& gradient, std::vector<double>& delta) {
  implementation_->plain.descend(gaps, gradient, delta);
}

std::vector<double> Elimination::correct(const nlp::Blocks& blocks, const Step& step) {
  std::vector<double> delta;
  correct(blocks, step, delta);
  return delta;
}

}  // namespace salvo::solve
