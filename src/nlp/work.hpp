#pragma once

namespace salvo::nlp {

// Multiply-adds that eliminate one link: its derivatives times those of the node before, and the triangle of its rows.
// Counted, never timed; choices are made by it.
inline double elimination_work(double states, double thetas) { return 4 * states * states * (2 * states + thetas); }

}  // namespace salvo::nlp
