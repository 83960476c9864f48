#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compile/accelerate.hpp"
#include "model/choices.hpp"
#include "nlp/problem.hpp"
#include "shooting/grid.hpp"
#include "shooting/packing.hpp"

// One evaluation whose packs several processes run, each a part of them.
namespace salvo::shooting {

// Packs `first`, `first` + `of`, `first` + 2 `of`, ...: neighbours take about equally long, and so do these parts.
struct PassPart {
  int first = 0;
  int of = 1;

  int count_among(int packs) const { return (packs - first + of - 1) / of; }
  int pack(int n) const { return first + n * of; }
};

// A pass as it is told to a process that knows the problem: everything else that its packs depend on.
struct PassAsked {
  enum class For { values, jacobians, gradients };

  // How the problem is laid.
  std::vector<int> experiments{};            // of each chain
  std::vector<std::vector<double>> nodes{};  // likewise
  bool constrains_nodes = true;
  int lanes = 1;
  model::Derivatives derivatives = model::Derivatives::automatic;
  // What is evaluated.
  nlp::Point q{};
  nlp::Request request{};
  For what = For::values;
  bool predicts = false;
  nlp::GapWeights weights{};  // of gradients
  // As it was chosen, so that others come to the same bits.
  model::Integrator integrator{};
  Packing packing{};                      // empty: intervals fly as they are planned
  std::optional<compile::Wanted> code{};  // machine code for this; none: interpreted
  bool in_whole_steps = false;            // and for whole steps of this integrator

  std::string bytes() const;
  // Nothing where they are none.
  static std::optional<PassAsked> from(const std::string& bytes);

  std::vector<Grid> grids() const;
};

}  // namespace salvo::shooting
