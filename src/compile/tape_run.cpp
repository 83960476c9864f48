#include <cmath>

#include "compile/pack.hpp"
#include "compile/tape.hpp"

namespace salvo::compile {

using expression::Op;

template <>
const double* Tape::constants<1>() const {
  return constants_1_.data();
}
template <>
const double* Tape::constants<4>() const {
  return constants_4_.data();
}
template <>
const double* Tape::constants<8>() const {
  return constants_8_.data();
}

namespace {

// Everything but arithmetic goes lane by lane through the one definition of each operation.
template <int W>
Pack<W> apply_lanes(Op op, const Pack<W>& a, const Pack<W>& b, const Pack<W>& c) {
  Pack<W> out;
  for (int l = 0; l < W; ++l) out.lane[l] = expression::apply(op, a.lane[l], b.lane[l], c.lane[l]);
  return out;
}

}  // namespace

template <int W>
void Tape::run(const Arguments& arguments, double* work, double* out, double* sums) const {
  const double* const banks[bank_count] = {
      constants<W>(), arguments.time, arguments.state, arguments.parameter, arguments.seed, arguments.kept, work};
  const auto read = [&](Operand o) { return Pack<W>::load(banks[static_cast<int>(o.bank)] + o.index * W); };
  for (const Instruction& i : instructions_) {
    Pack<W> value;
    switch (i.op) {
      case Op::add: value = read(i.a) + read(i.b); break;
      case Op::subtract: value = read(i.a) - read(i.b); break;
      case Op::multiply: value = read(i.a) * read(i.b); break;
      case Op::divide: value = read(i.a) / read(i.b); break;
      case Op::negate: value = Pack<W>::all(-0.0) - read(i.a); break;
      default: {
        const int count = expression::argument_count(i.op);
        const Pack<W> a = read(i.a);
        value = apply_lanes(i.op, a, count > 1 ? read(i.b) : a, count > 2 ? read(i.c) : a);
      }
    }
    value.store(work + i.target * W);
  }
  for (std::size_t k = 0; k < outputs_.size(); ++k) read(outputs_[k]).store(out + k * W);
  for (const AddedProduct& p : products_) {
    double* const sum = sums + p.target * W;
    (Pack<W>::load(sum) + read(p.a) * read(p.b)).store(sum);
  }
  for (const Addition& addition : additions_) {
    double* const sum = sums + addition.target * W;
    (Pack<W>::load(sum) + read(addition.a)).store(sum);
  }
}

template void Tape::run<1>(const Arguments&, double*, double*, double*) const;
template void Tape::run<4>(const Arguments&, double*, double*, double*) const;
template void Tape::run<8>(const Arguments&, double*, double*, double*) const;

}  // namespace salvo::compile
