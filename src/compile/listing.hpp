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

// Formulas as a list of instructions over registers, which a tape interprets and a translator turns into machine code.
// `sums` are outputs that are not written but added to what is there already, for all stages of a step in one pass.
// Most of them are products, which then need no register of their own: the gradient by ten thousand weights.
struct Listing {
  Listing() = default;
  Listing(const expression::Graph& graph, std::span<const expression::NodeId> outputs, const Signature& signature,
          std::span<const expression::NodeId> sums = {});

  std::vector<Instruction> instructions{};
  std::vector<Operand> outputs{};
  std::vector<AddedProduct> products{};
  std::vector<Addition> additions{};
  std::vector<double> constants{};
  int work_size = 0;  // registers
};

}  // namespace salvo::compile
