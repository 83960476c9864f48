#pragma once

#include <array>
#include <utility>

#include "compile/native.hpp"
#include "compile/tape.hpp"

namespace salvo::compile {

// A function of the model over W lanes: interpreted, or machine code where that has been made.
class Kernel {
 public:
  Kernel() = default;
  Kernel(const expression::Graph& graph, std::span<const expression::NodeId> outputs, const Signature& signature,
         std::span<const expression::NodeId> sums = {})
      : tape_(Listing(graph, outputs, signature, sums)) {}

  const Tape& tape() const { return tape_; }
  int output_count() const { return static_cast<int>(tape_.listing().outputs.size()); }
  int work_size() const { return tape_.listing().work_size; }  // packs of scratch that `run` needs
  int instruction_count() const {
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
    const NativeKernel& native = native_[place<W>];
    if (native.pieces.empty()) return tape_.run<W>(a, work, out);
    for (const NativeFunction piece : native.pieces) piece(a.time, a.state, a.parameter, a.seed, a.kept, work, out);
  }
  template <int W>
  void add_sums(const Arguments& a, const double* work, const Strides& strides, int stages, double* sums) const {
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
};

}  // namespace salvo::compile
