#include "compile/tape.hpp"

#include <cmath>
#include <utility>

#include "base/wide_registers.hpp"
#include "compile/pack.hpp"

namespace salvo::compile {

using expression::Op;

Tape::Tape(Listing listing) : listing_(std::move(listing)) {
  for (const double value : listing_.constants) {
    constants_4_.insert(constants_4_.end(), 4, value);
    constants_8_.insert(constants_8_.end(), 8, value);
  }
}

template <>
const double* Tape::constants<1>() const {
  return listing_.constants.data();
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
  double out[W];
  for (int l = 0; l < W; ++l) out[l] = expression::apply(op, a[l], b[l], c[l]);
  return Pack<W>::load(out);
}

}  // namespace

template <int W>
void Tape::run(const Arguments& arguments, double* work, double* out) const {
  const double* const banks[bank_count] = {
      constants<W>(), arguments.time, arguments.state, arguments.parameter, arguments.seed, arguments.kept, work};
  const auto read = [&](Operand o) { return Pack<W>::load(banks[static_cast<int>(o.bank)] + o.index * W); };
  const auto interpret = [&]() __attribute__((always_inline)) {
    for (const Instruction& i : listing_.instructions) {
      Pack<W> value;
      switch (i.op) {
        case Op::add: value = read(i.a) + read(i.b); break;
        case Op::subtract: value = read(i.a) - read(i.b); break;
        case Op::multiply:
          value = read(i.a) * read(i.b);
          if (i.adds) value = read(i.c) + value;
          break;
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
    for (std::size_t k = 0; k < listing_.outputs.size(); ++k) read(listing_.outputs[k]).store(out + k * W);
  };
  if constexpr (W == 1)
    interpret();
  else
    with_wide_registers<W>(interpret);
}

template <int W>
void Tape::add_sums(const Arguments& arguments, const double* work, const Strides& strides, int stages,
                    double* sums) const {
  const double* const banks[bank_count] = {
      constants<W>(), arguments.time, arguments.state, arguments.parameter, arguments.seed, arguments.kept, work};
  const std::size_t apart[bank_count] = {0, strides.time, strides.state, 0, strides.seed, strides.kept, strides.work};
  const auto at = [&](Operand o) { return banks[static_cast<int>(o.bank)] + o.index * W; };
  for (const AddedProduct& p : listing_.products) {
    const double* a = at(p.a);
    const double* b = at(p.b);
    const std::size_t a_apart = apart[static_cast<int>(p.a.bank)];
    const std::size_t b_apart = apart[static_cast<int>(p.b.bank)];
    double* const to = sums + p.target * W;
    Pack<W> sum = Pack<W>::load(to);
    for (int i = 0; i < stages; ++i, a += a_apart, b += b_apart) sum = sum + Pack<W>::load(a) * Pack<W>::load(b);
    sum.store(to);
  }
  for (const Addition& addition : listing_.additions) {
    const double* a = at(addition.a);
    const std::size_t a_apart = apart[static_cast<int>(addition.a.bank)];
    double* const to = sums + addition.target * W;
    Pack<W> sum = Pack<W>::load(to);
    for (int i = 0; i < stages; ++i, a += a_apart) sum = sum + Pack<W>::load(a);
    sum.store(to);
  }
}

template void Tape::run<1>(const Arguments&, double*, double*) const;
template void Tape::add_sums<1>(const Arguments&, const double*, const Strides&, int, double*) const;
template void Tape::run<4>(const Arguments&, double*, double*) const;
template void Tape::add_sums<4>(const Arguments&, const double*, const Strides&, int, double*) const;
template void Tape::run<8>(const Arguments&, double*, double*) const;
template void Tape::add_sums<8>(const Arguments&, const double*, const Strides&, int, double*) const;

}  // namespace salvo::compile
