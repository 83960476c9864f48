#pragma once

namespace salvo::nlp {

// Multiply-adds that eliminate dense rows of a node, those of a link or of what is measured inside it: their
// derivatives times those of the node before, and their share in a triangle. Counted, never timed; choices are made by
// it.
inline double elimination_work(double rows, double states, double thetas) {
  return 4 * rows * states * (2 * states + thetas);
}

}  // namespace salvo::nlp
