#pragma once

#include <array>
#include <memory>
#include <utility>

#include "compile/native.hpp"
#include "compile/tape.hpp"

namespace salvo::compile {

// A function that goes through cells, each by the same body (loops.hpp).
struct Loops;
int output_count(const Loops& loops);
int work_size(const Loops& loops);
int instruction_count(const Loops& loops);
template <int W>
void run(const Loops& loops, const Arguments& a, double* work, double* out);
template <int W>
void add_sums(const Loops& loops, const double* work, const Strides& strides, int stages, double* sums);

// A function of the model over W lanes: interpreted, or machine code where that has been made.
class Kernel {
 public:
  Kernel() = default;
  Kernel(const expression::Graph& graph, std::span<const expression::NodeId> outputs, const Signature& signature,
         std::span<const expression::NodeId> sums = {})
      : tape_(Listing(graph, outputs, signature, sums)) {}

  explicit Kernel(std::shared_ptr<Loops> loops) : loops_(std::move(loops)) {}

  const Tape& tape() const { return tape_; }
  const std::shared_ptr<Loops>& loops() const { return loops_; }  // null where the function does not go through cells
  void own_loops();                                               // a copy of them, for who gives them machine code
  int output_count() const {
    return loops_ ? compile::output_count(*loops_) : static_cast<int>(tape_.listing().outputs.size());
  }
  int work_size() const {  // packs of scratch that `run` needs
    return loops_ ? compile::work_size(*loops_) : tape_.listing().work_size;
  }
  int instruction_count() const {
    if (loops_) return compile::instruction_count(*loops_);
    const Listing& listing = tape_.listing();
    return static_cast<int>(listing.instructions.size() + listing.products.size() + listing.additions.size());
  }

  template <int W>
  void set_native(NativeKernel native) {
    native_[place<W>] = std::move(native);
  }
  template <int W>
  bool is_native() const {
    return !native_[place<W>].pieces.empty();
  }

  // As Tape::run and Tape::add_sums.
  template <int W>
  void run(const Arguments& a, double* work, double* out) const {
    if (loops_) return compile::run<W>(*loops_, a, work, out);
    const NativeKernel& native = native_[place<W>];
    if (native.pieces.empty()) return tape_.run<W>(a, work, out);
    for (const NativeFunction piece : native.pieces) piece(a.time, a.state, a.parameter, a.seed, a.kept, work, out);
  }
  template <int W>
  void add_sums(const Arguments& a, const double* work, const Strides& strides, int stages, double* sums) const {
    if (loops_) return compile::add_sums<W>(*loops_, work, strides, stages, sums);
    const NativeKernel& native = native_[place<W>];
    if (native.sums == nullptr) return tape_.add_sums<W>(a, work, strides, stages, sums);
    const std::size_t apart[] = {0, strides.time, strides.state, 0, strides.seed, strides.kept, strides.work};
    native.sums(a.time, a.state, a.parameter, a.seed, a.kept, work, apart, static_cast<std::size_t>(stages), sums);
  }

 private:
  template <int W>
  static constexpr std::size_t place = W == 1   ? 0
                                       : W == 4 ? 1
                                                : 2;

  Tape tape_;
  std::array<NativeKernel, 3> native_{};
  std::shared_ptr<Loops> loops_{};
};

}  // namespace salvo::compile
