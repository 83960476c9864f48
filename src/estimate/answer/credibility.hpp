#pragma once

#include "estimate/answer/answer.hpp"
#include "estimate/workspace.hpp"

namespace salvo::estimate {

// Where the noise is known, chi2 tells a fit that cannot be right. Weights of a network take fewer degrees of freedom
// than there are of them; how many, nobody knows, so none are counted.
bool is_credible(const Workspace& workspace, const Answer& answer, const nlp::Layout& layout);

// Where the noise is estimated it explains any residuals. An answer then leaves doubt whose residuals follow each other
// in time, or that no datum tells from others, as where all has decayed before the first of them; and at a bound, if
// events may have been lost there.
bool leaves_doubt(const Workspace& workspace, const Answer& answer, const nlp::Layout& layout);

}  // namespace salvo::estimate
