#include "uncertainty/profiles/subjects.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "estimate/estimate.hpp"
#include "helpers/problems.hpp"
#include "uncertainty/profiles/path_reading.hpp"

namespace salvo::uncertainty {
namespace {

using statistics::PathEnd;
using statistics::ProfilePath;

// x = a^2 with one datum of 4 and noise 1: a = 2, and its error is 1/(2a).
struct Squared {
  explicit Squared(const ProfileOptions& given = {}) : options(given) {
    test::Builder builder(test::Equations{{"x", "0"}});
    builder.parameter("a", test::within(1, 0.01, 100)).observable("seen", "a^2 + x", "1");
    problem = builder.experiment(model::default_experiment, {std::string("0")}).measure(0, 0, 1, 4).build();
    estimation = estimate::estimate(problem, {}, {});
    fits = std::make_unique<HeldFits>(*estimation.workspace, estimation.best, context);
    all = estimate::quantities(fits->shooting());
    errors = errors_of(fits->shooting(), fits->optimum(), {.full_rank = true});
    guesses = {1};
  }
  ProfileOrigin origin() const { return {*fits, all, errors, options, guesses, 0.1}; }

  ProfileOptions options;
  RunContext context{};
  model::Problem problem{};
  estimate::Estimation estimation{};
  std::unique_ptr<HeldFits> fits{};
  std::vector<estimate::Quantity> all{};
  Errors errors{};
  std::vector<double> guesses{};
};

// Half the quantile of chi2 with one degree of freedom at 95 %: 3.841459/2.
TEST(Subjects, AreFollowedToTheRiseOfTheirLevelBetweenTheirBounds) {
  const Squared squared;
  const std::vector<Subject> subjects = choose_subjects(squared.origin());
  ASSERT_EQ(subjects.size(), 1u);
  EXPECT_EQ(subjects[0].id, "a");
  EXPECT_NEAR(subjects[0].task.optimum.value, 2, 1e-6);
  EXPECT_NEAR(subjects[0].task.level, 0.5 * 3.841459, 1e-6);
  EXPECT_NEAR(subjects[0].task.error, 0.25, 1e-6);
  EXPECT_EQ(task_of(subjects[0], -1).bound, 0.01);
  EXPECT_EQ(task_of(subjects[0], 1).bound, 100);
  EXPECT_EQ(task_of(subjects[0], 1).direction, 1);
}

TEST(Subjects, AreThoseThatAreAskedFor) {
  const Squared predicted({.predictions = {{.formula = "a^3"}, {.formula = "a"}}});
  EXPECT_TRUE(asks_for_predictions(predicted.problem, predicted.options));
  const std::vector<Subject> subjects = choose_subjects(predicted.origin());
  ASSERT_EQ(subjects.size(), 2u);
  EXPECT_NEAR(subjects[0].task.optimum.value, 8, 1e-5);
  EXPECT_NEAR(subjects[0].task.error, 3 * 4 * 0.25, 1e-4);  // 3 a^2 times the error of a
  EXPECT_EQ(subjects[0].unknown, -1);
  EXPECT_GE(subjects[1].unknown, 0) << "a parameter is held, not pulled";
  const Squared others({.ids = {"b"}});
  EXPECT_TRUE(choose_subjects(others.origin()).empty());
  EXPECT_FALSE(asks_for_predictions(others.problem, {}));
}

TEST(PathReading, TellsTheKindOfEveryEnd) {
  const Squared squared;
  const ProfileOrigin from = squared.origin();
  Subject subject = choose_subjects(from).at(0);
  const ProfilePath path{.points = {{2.4, 1.9, 4, {2.4}}}, .end = PathEnd::level};
  const auto end = [&](PathEnd how, bool has_points) {
    return end_of(from, subject,
                  {.points = has_points ? path.points : std::vector<statistics::ProfilePoint>{}, .end = how}, false);
  };
  EXPECT_EQ(end_of(from, subject, path, true).kind, IntervalEnd::Kind::wald);
  EXPECT_EQ(end_of(from, subject, path, false).kind, IntervalEnd::Kind::likelihood);
  EXPECT_EQ(end_of(from, subject, path, false).value, 2.4);
  EXPECT_EQ(end(PathEnd::bound, true).kind, IntervalEnd::Kind::none);
  EXPECT_EQ(end(PathEnd::flat, true).kind, IntervalEnd::Kind::none);
  EXPECT_EQ(end(PathEnd::failed, false).kind, IntervalEnd::Kind::none) << "at the edge of what can be computed";
  EXPECT_EQ(end(PathEnd::failed, true).kind, IntervalEnd::Kind::unknown);
  EXPECT_EQ(end(PathEnd::stopped, true).kind, IntervalEnd::Kind::unknown);
}

// Down, the optimum, up.
TEST(PathReading, PutsBothSidesIntoOneProfile) {
  const Squared squared;
  const ProfileOrigin from = squared.origin();
  const Subject subject = choose_subjects(from).at(0);
  const ProfilePath down{.points = {{1.8, 0.3, -3, {1.8}}, {1.4, 2, -5, {1.4}}}, .end = PathEnd::level};
  const ProfilePath up{.points = {{2.2, 0.4, 3, {2.2}}}, .end = PathEnd::stopped};
  const Profile profile = described(from, subject, down, up);
  ASSERT_EQ(profile.points.size(), 4u);
  EXPECT_EQ(profile.points[0].value, 1.4);
  EXPECT_NEAR(profile.points[2].value, 2, 1e-6);
  EXPECT_EQ(profile.points[3].value, 2.2);
  EXPECT_EQ(profile.lower, 1.4);
  EXPECT_FALSE(profile.upper);
  EXPECT_FALSE(profile.is_followed) << "one side was stopped";
}

}  // namespace
}  // namespace salvo::uncertainty
