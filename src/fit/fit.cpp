#include "fit/fit.hpp"

#include "fit/solution.hpp"

namespace salvo::fit {

FitResult fit(const model::Problem& problem, const Options& options, const RunContext& context) {
  Run run(problem, options, context);
  return run.refusal().empty() ? run.describe(run.solve()) : run.refused();
}

}  // namespace salvo::fit
