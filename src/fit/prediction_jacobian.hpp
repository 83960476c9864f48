#pragma once

#include "base/matrix.hpp"
#include "fit/unbroken.hpp"

namespace salvo::fit {

// dg_i/dx_k at a point q of `unbroken`: what each measurement is predicted to be, in the order of the problem's
// measurements, by its estimated quantities, each on its scale. The law of the noise has no part in it.
nlp::Evaluation prediction_jacobian(const Unbroken& unbroken, const nlp::Point& q, Matrix& out);

}  // namespace salvo::fit
