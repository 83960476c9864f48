#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "expression/graph.hpp"

namespace salvo::compile {

// Where a number of a kernel lives. Arguments are arrays that the caller owns; constants and work belong to the tape.
enum class Bank : std::uint8_t { constant, time, state, parameter, seed, work };
inline constexpr int bank_count = 6;

struct Operand {
  Bank bank = Bank::constant;
  std::int32_t index = 0;
};

// Which argument each symbol of the graph stands for.
using Signature = std::unordered_map<expression::NodeId, Operand>;

// The arguments of a kernel, lane-last; those that no formula uses may be null.
struct Arguments {
  const double* time = nullptr;
  const double* state = nullptr;
  const double* parameter = nullptr;
  const double* seed = nullptr;
};

// Formulas as a list of instructions over registers, run by an interpreter: nothing to wait for, and the oracle of
// faster backends.
class Tape {
 public:
  Tape() = default;
  Tape(const expression::Graph& graph, std::span<const expression::NodeId> outputs, const Signature& signature);

  int output_count() const { return static_cast<int>(outputs_.size()); }
  int work_size() const { return work_size_; }  // packs of scratch that `run` needs
  int instruction_count() const { return static_cast<int>(instructions_.size()); }

  // W = 1, 4 or 8. `work` holds work_size() packs, `out` output_count() packs.
  template <int W>
  void run(const Arguments& arguments, double* work, double* out) const;

 private:
  struct Instruction {
    expression::Op op = expression::Op::constant;
    std::int32_t target = 0;  // register in the work bank
    Operand a{}, b{}, c{};
  };
  template <int W>
  const double* constants() const;

  std::vector<Instruction> instructions_;
  std::vector<Operand> outputs_;
  std::vector<double> constants_1_, constants_4_, constants_8_;  // the same numbers, repeated for each lane
  int work_size_ = 0;
};

}  // namespace salvo::compile
