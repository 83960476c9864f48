#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "expression/graph.hpp"

namespace salvo::compile {

// Where a number of a kernel lives. Arguments are arrays that the caller owns; constants and work belong to the tape.
enum class Bank : std::uint8_t { constant, time, state, parameter, seed, kept, work };
inline constexpr int bank_count = 7;

struct Operand {
  Bank bank = Bank::constant;
  std::int32_t index = 0;
};

// Which argument each symbol of the graph stands for; and which nodes are not computed but read from where an earlier
// tape kept them.
using Signature = std::unordered_map<expression::NodeId, Operand>;

// The arguments of a kernel, lane-last; those that no formula uses may be null.
struct Arguments {
  const double* time = nullptr;
  const double* state = nullptr;
  const double* parameter = nullptr;
  const double* seed = nullptr;
  const double* kept = nullptr;
};

// How far apart the same argument stands at two stages of a step, in numbers.
struct Strides {
  std::size_t time = 0;
  std::size_t state = 0;
  std::size_t seed = 0;
  std::size_t kept = 0;
  std::size_t work = 0;
};

// Formulas as a list of instructions over registers, run by an interpreter: nothing to wait for, and the oracle of
// faster backends.
class Tape {
 public:
  Tape() = default;
  // `sums` are outputs that are not written but added to what is there already, for all stages of a step in one pass.
  // Most of them are products, which then need no register of their own: the gradient by ten thousand weights.
  Tape(const expression::Graph& graph, std::span<const expression::NodeId> outputs, const Signature& signature,
       std::span<const expression::NodeId> sums = {});

  int output_count() const { return static_cast<int>(outputs_.size()); }
  int work_size() const { return work_size_; }  // packs of scratch that `run` needs
  int instruction_count() const {
    return static_cast<int>(instructions_.size() + products_.size() + additions_.size());
  }

  // W = 1, 4 or 8. `work` holds work_size() packs, `out` output_count() packs.
  template <int W>
  void run(const Arguments& arguments, double* work, double* out) const;

  // After `run` at each of so many stages: adds the sums of all of them. `arguments` and `work` are those of the first.
  template <int W>
  void add_sums(const Arguments& arguments, const double* work, const Strides& strides, int stages, double* sums) const;

 private:
  struct Instruction {
    expression::Op op = expression::Op::constant;
    bool adds = false;        // of a product: c is added to it, as an instruction of its own would
    std::int32_t target = 0;  // register in the work bank
    Operand a{}, b{}, c{};
  };
  struct AddedProduct {  // sums[target] += a b
    std::int32_t target = 0;
    Operand a{}, b{};
  };
  struct Addition {  // sums[target] += a
    std::int32_t target = 0;
    Operand a{};
  };
  template <int W>
  const double* constants() const;

  std::vector<Instruction> instructions_;
  std::vector<Operand> outputs_;
  std::vector<AddedProduct> products_;
  std::vector<Addition> additions_;
  std::vector<double> constants_1_, constants_4_, constants_8_;  // the same numbers, repeated for each lane
  int work_size_ = 0;
};

}  // namespace salvo::compile
