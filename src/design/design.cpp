#include "design/design.hpp"

#include "base/watch.hpp"
#include "design/describe.hpp"
#include "design/exact.hpp"
#include "design/off_grid.hpp"
#include "design/survey.hpp"
#include "design/words.hpp"

namespace salvo::design {

Result design(const model::Problem& problem, const Options& options, const RunContext& caller) {
  RunContext context = caller;
  const Watch watch(context);
  const auto should_stop = [&] { return context.should_stop(); };
  const model::Design& wanted = *problem.design;
  Result result{
      .criterion = wanted.criterion, .about = wanted.target.text, .interest = wanted.interest, .budget = wanted.budget};
  Survey survey(problem, options, context);
  const bool is_surveyed = survey.make(result);
  if (is_surveyed && !should_stop()) {
    const Purse purse{.cost = survey.candidates().cost, .limit = survey.candidates().limit, .budget = wanted.budget};
    const Weights weights = best_weights(survey.problem(), purse, should_stop);
    const Exact exact = best_exact(survey.problem(), purse, weights, should_stop);
    describe(survey, weights, exact, result);
    if (result.status == Status::found) add_refined(survey, exact, should_stop, result);
    if (result.status == Status::found) result.message = message_of(result);
  }
  if (should_stop()) {
    result.status = Status::interrupted;
    result.message = "The run was stopped before the design was complete.";
  }
  return result;
}

}  // namespace salvo::design
