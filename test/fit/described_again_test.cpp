#include <filesystem>

#include "estimate/answer/write.hpp"
#include "estimate/ways/resume.hpp"
#include "fit/describe.hpp"
#include "fits.hpp"
#include "formats/problem/read.hpp"
#include "report/json.hpp"
#include "report/profiles.hpp"
#include "uncertainty/profiles/profiles.hpp"

// An answer that was read from its text is described, in a workspace that knows nothing of the run, as the answer of
// the run itself: errors, bands, words, pictures and profiles.
namespace salvo::fit {
namespace {

Estimation of_another_process(const Estimation& estimation, const model::Problem& problem) {
  Estimation out{.workspace = std::make_unique<Workspace>(problem, Options{}),
                 .plan = estimation.plan,
                 .rule = estimation.rule,
                 .others = estimation.others,
                 .proved = estimation.proved,
                 .tried = estimation.tried,
                 .is_credible = estimation.is_credible};
  out.best = found_again(*out.workspace, *read(write(estimation.best.answer)));
  return out;
}

std::string fit_json_of(const model::Problem& problem, Estimation estimation) {
  FitResult result = describe(std::move(estimation), std::chrono::steady_clock::now());
  result.work.seconds = 0;
  return report::fit_json(problem, result);
}
std::string profiles_json_of(const Estimation& estimation) {
  Profiles profiles = follow_profiles(*estimation.workspace, estimation.best, {}, {}).profiles;
  profiles.work = {};  // counts what the fit has evaluated before
  return report::profile_list_json(profiles);
}

void expect_described_as_ever(const model::Problem& problem, bool with_profiles) {
  Estimation estimation = estimate::estimate(problem, {}, {});
  Estimation again = of_another_process(estimation, problem);
  if (with_profiles) {
    EXPECT_EQ(profiles_json_of(again), profiles_json_of(estimation));
  }
  EXPECT_EQ(fit_json_of(problem, std::move(again)), fit_json_of(problem, std::move(estimation)));
}

TEST(AnAnswerThatWasRead, OfPredatorAndPreyIsDescribedAsEver) { expect_described_as_ever(test::predator_prey(), true); }

TEST(AnAnswerThatWasRead, WithEstimatedNoiseIsDescribedAsEver) {
  expect_described_as_ever(*formats::read_problem(std::filesystem::path(SALVO_SOURCE_DIR) / "test/data/hare_lynx.yaml"),
                           false);
}

}  // namespace
}  // namespace salvo::fit
