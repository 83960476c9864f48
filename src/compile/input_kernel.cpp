#include "compile/input_kernel.hpp"

#include <array>

namespace salvo::compile {

using expression::NodeId;

void InputKernel::set_piece(int experiment, int piece, double* p, int stride) const {
  const auto& [c0, begin, c1, c2, c3] =
      of_experiment[static_cast<std::size_t>(experiment)]->pieces()[static_cast<std::size_t>(piece)];
  const std::array<double, 5> all{c0, begin, c1, c2, c3};
  for (int i = 0; i < numbers; ++i) p[static_cast<std::size_t>(first + i) * stride] = all[i];
}

void InputKernel::set_time(int experiment, double t, double* p, int stride) const {
  set_piece(experiment, of_experiment[static_cast<std::size_t>(experiment)]->piece_at(t), p, stride);
}

int InputKernel::knots_between(int experiment, double begin, double end) const {
  const model::InputCurve& curve = *of_experiment[static_cast<std::size_t>(experiment)];
  if (delay >= 0) return static_cast<int>(curve.pieces().size());  // where they lie is estimated
  return curve.piece_at(end) - curve.piece_at(begin);
}

int piece_numbers(model::Interpolation interpolation) {
  switch (interpolation) {
    case model::Interpolation::constant: return 1;
    case model::Interpolation::linear: return 3;
    case model::Interpolation::cubic: return 5;
  }
  return 0;
}

NodeId piece_formula(expression::Graph& graph, NodeId time, const std::vector<NodeId>& numbers) {
  if (numbers.size() == 1) return numbers[0];
  const NodeId s = graph.subtract(time, numbers[1]);
  NodeId out = numbers.back();
  for (std::size_t i = numbers.size() - 2; i > 1; --i) out = graph.add(numbers[i], graph.multiply(s, out));
  return graph.add(numbers[0], graph.multiply(s, out));
}

}  // namespace salvo::compile
