#include "model/curve_formula.hpp"

#include <span>

namespace salvo::model {
namespace {

using expression::Graph;
using expression::NodeId;
using expression::Op;

// c0 + s (c1 + s (c2 + s c3)), without what is zero.
NodeId formula_of_piece(Graph& graph, const InputCurve::Piece& piece, NodeId time) {
  const NodeId s = graph.subtract(time, graph.constant(piece.begin));
  NodeId sum = graph.constant(0);
  for (const double coefficient : {piece.c3, piece.c2, piece.c1, piece.c0}) {
    if (!graph.is_constant(sum, 0)) sum = graph.multiply(s, sum);
    sum = graph.add(sum, graph.constant(coefficient));
  }
  return sum;
}

NodeId formula_of_pieces(Graph& graph, std::span<const InputCurve::Piece> pieces, NodeId time) {
  if (pieces.size() == 1) return formula_of_piece(graph, pieces[0], time);
  const std::size_t half = pieces.size() / 2;
  const NodeId is_before = graph.make(Op::less, time, graph.constant(pieces[half].begin));
  const NodeId before = formula_of_pieces(graph, pieces.first(half), time);
  return graph.make(Op::select, is_before, before, formula_of_pieces(graph, pieces.subspan(half), time));
}

}  // namespace

NodeId formula_of(Graph& graph, const InputCurve& curve, NodeId time) {
  return formula_of_pieces(graph, curve.pieces(), time);
}

}  // namespace salvo::model
