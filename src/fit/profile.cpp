#include "fit/profile.hpp"

#include "base/watch.hpp"
#include "fit/describe.hpp"
#include "fit/solution.hpp"
#include "uncertainty/profiles/profiles.hpp"

namespace salvo::fit {
namespace {

constexpr int most_restarts = 3;

}  // namespace

Issues check_profiles(const model::Problem& problem, const ProfileOptions& options) {
  return uncertainty::check_profiles(problem, options);
}

FitResult profile(const model::Problem& problem, const Options& options, const ProfileOptions& profiles,
                  const RunContext& caller) {
  Run run(problem, options, caller);
  if (!run.refusal().empty()) return run.refused();
  Solution solution = run.solve();
  std::string remark;
  ProfileOptions wanted = profiles;
  for (int n = 0; n <= most_restarts && estimate::is_proved(solution.estimation.best.answer); ++n) {
    wanted.better_fits = n;
    uncertainty::ProfilesOutcome outcome =
        uncertainty::follow_profiles(*solution.estimation.workspace, solution.estimation.best, wanted, run.context());
    if (outcome.better.empty() || n == most_restarts) {
      if (!outcome.trouble.empty()) remark += " No profiles: " + outcome.trouble + ".";
      FitResult result = run.describe(std::move(solution), outcome.intervals);
      result.message += remark;
      if (outcome.trouble.empty()) result.profiles = std::move(outcome.profiles);
      return result;
    }
    remark = " Following the profiles led to a better fit, which is this one.";
    solution.estimation = run.solve_from(outcome.better, n + 1);
  }
  FitResult result = run.describe(std::move(solution));
  result.message += " No profiles are followed, because the fit has not converged.";
  return result;
}

}  // namespace salvo::fit
