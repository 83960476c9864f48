#include "fit/profiles.hpp"

#include "base/distributions.hpp"
#include "fits.hpp"
#include "formats/folder.hpp"
#include "formats/problem/read.hpp"

namespace salvo::fit {
namespace {

using test::fit_of;

model::Problem problem_of(const std::string& yaml, const std::string& csv) {
  const formats::Folder folder({{"problem.yaml", yaml}, {"data.csv", csv}});
  return *formats::read_problem(folder / "problem.yaml");
}

FitResult profiled(const model::Problem& problem, ProfileOptions options = {}, int threads = 1) {
  Options all;
  all.profiles = std::move(options);
  all.threads = threads;
  return fit_of(problem, all);
}

const Profile& profile_of(const FitResult& result, const std::string& id) {
  EXPECT_TRUE(result.profiles.has_value()) << result.message;
  for (const Profile& profile : result.profiles->profiles)
    if (profile.id == id) return profile;
  ADD_FAILURE() << "no profile of " << id;
  return result.profiles->profiles.at(0);
}

// Bates and Watts' examples, as formulas of time. The ends solve RSS(c) = RSS_min (1 + t^2/(n - k)); computed
// independently.
model::Problem puromycin() {
  return problem_of(
      "equations: {x: 0}\ninitial: {x: 0}\nparameters: {Vm: {guess: 200}, K: {guess: 0.05}}\n"
      "observables: {rate: {formula: Vm*t/(K + t)}}\ndata: data.csv\n",
      "time,rate\n0.02,76\n0.02,47\n0.06,97\n0.06,107\n0.11,123\n0.11,139\n0.22,159\n0.22,152\n0.56,191\n0.56,201\n"
      "1.10,207\n1.10,200\n");
}

TEST(Profiles, OfPuromycinAreBatesAndWatts) {
  const FitResult result = profiled(puromycin());
  const Profile& vm = profile_of(result, "Vm");
  const Profile& k = profile_of(result, "K");
  EXPECT_NEAR(vm.estimate, 212.68374, 1e-4);
  EXPECT_NEAR(vm.lower.value(), 197.30193, 2e-3);
  EXPECT_NEAR(vm.upper.value(), 229.28906, 2e-3);
  EXPECT_NEAR(k.lower.value(), 0.046920342, 5e-7);
  EXPECT_NEAR(k.upper.value(), 0.086156913, 5e-7);
  EXPECT_EQ(k.verdict, Verdict::identifiable);
}

TEST(Profiles, OfOxygenDemandAreLopsided) {
  const FitResult result =
      profiled(problem_of("equations: {x: 0}\ninitial: {x: 0}\nparameters: {A: {guess: 20}, k: {guess: 0.5}}\n"
                          "observables: {demand: {formula: A*(1 - exp(-k*t))}}\ndata: data.csv\n",
                          "time,demand\n1,8.3\n2,10.3\n3,19.0\n4,16.0\n5,15.6\n7,19.8\n"));
  EXPECT_NEAR(profile_of(result, "A").lower.value(), 14.049364, 2e-4);
  EXPECT_NEAR(profile_of(result, "A").upper.value(), 38.456198, 4e-4);
  EXPECT_NEAR(profile_of(result, "k").lower.value(), 0.13139775, 2e-6);
  EXPECT_NEAR(profile_of(result, "k").upper.value(), 1.8081696, 2e-5);
}

// Where the model is linear and the noise known, profiles are the classical intervals.
TEST(Profiles, OfALineAreTheClassicalIntervals) {
  const FitResult result =
      profiled(problem_of("equations: {x: b}\ninitial: {x: {guess: 0}}\nparameters: {b: {guess: 1}}\n"
                          "observables: {seen: {formula: x, noise: 0.3}}\ndata: data.csv\n",
                          "time,seen\n0,1.1\n1,1.7\n2,3.2\n3,3.6\n5,5.9\n"));
  for (const Profile& profile : result.profiles->profiles) {
    const Estimate& estimate = test::estimate_of(result, profile.id);
    EXPECT_NEAR(profile.lower.value(), estimate.interval->first, 1e-5) << profile.id;
    EXPECT_NEAR(profile.upper.value(), estimate.interval->second, 1e-5) << profile.id;
  }
}

// Prediction of a line at 8: the classical interval of a + 8 b.
TEST(Profiles, OfAPredictionAreTheClassicalIntervalsOfALine) {
  ProfileOptions options;
  options.predictions = {{.observable = "seen", .time = 8}};
  const FitResult result =
      profiled(problem_of("equations: {x: b}\ninitial: {x: {guess: 0}}\nparameters: {b: {guess: 1}}\n"
                          "observables: {seen: {formula: x, noise: 0.3}}\ndata: data.csv\n",
                          "time,seen\n0,1.1\n1,1.7\n2,3.2\n3,3.6\n5,5.9\n"),
               options);
  const Profile& at_8 = profile_of(result, "seen@8");
  const double b = test::estimate_of(result, "b").estimate;
  const double a = test::estimate_of(result, "x").estimate;
  const Matrix& c = result.covariance;
  const double sd = std::sqrt(64 * c(0, 0) + 16 * c(0, 1) + c(1, 1));
  EXPECT_NEAR(at_8.estimate, a + 8 * b, 1e-6);
  EXPECT_NEAR(at_8.lower.value(), a + 8 * b - normal_quantile_975 * sd, 1e-4);
  EXPECT_NEAR(at_8.upper.value(), a + 8 * b + normal_quantile_975 * sd, 1e-4);
}

// Elimination far from saturation: only V/K is seen, K is bounded from below.
TEST(Profiles, OfSaturationBeyondTheDataHaveNoUpperLimit) {
  const FitResult result = profiled(
      problem_of("equations: {s: -V*s/(K + s)}\ninitial: {s: 1}\nparameters:\n  V: {guess: 2, scale: log}\n"
                 "  K: {guess: 4, scale: log}\nobservables: {seen: {formula: s, noise: 0.02}}\ndata: data.csv\n",
                 "time,seen\n0.5,0.83\n1,0.69\n1.5,0.585\n2,0.475\n3,0.335\n4,0.22\n5,0.155\n6,0.1\n"));
  const Profile& k = profile_of(result, "K");
  EXPECT_EQ(k.verdict, Verdict::one_sided) << k.sentence;
  EXPECT_TRUE(k.lower.has_value());
  EXPECT_NE(k.sentence.find("at least"), std::string::npos) << k.sentence;
  EXPECT_NE(k.sentence.find("no upper limit"), std::string::npos) << k.sentence;
}

// Of two factors only the product is seen.
TEST(Profiles, OfWhatIsNotSeenAreFlatAndNameTheOther) {
  const FitResult result = profiled(problem_of(
      "equations: {x: -a*b*x}\ninitial: {x: 1}\nparameters:\n  a: {guess: 0.5, bounds: [0.01, 100]}\n"
      "  b: {guess: 1, bounds: [0.01, 100]}\nobservables: {seen: {formula: x, noise: 0.02}}\ndata: data.csv\n",
      "time,seen\n1,0.66\n2,0.45\n3,0.28\n4,0.2\n"));
  const Profile& a = profile_of(result, "a");
  EXPECT_EQ(a.verdict, Verdict::flat) << a.sentence;
  EXPECT_NE(a.sentence.find("b by -1 %"), std::string::npos) << a.sentence;
}

TEST(Profiles, EndAtBounds) {
  const FitResult result =
      profiled(problem_of("equations: {x: 0}\ninitial: {x: {guess: 1, bounds: [0, 5]}}\nparameters: {unused: 1}\n"
                          "observables: {u: {formula: x, noise: 1}}\ndata: data.csv\n",
                          "time,u\n0,0.3\n1,0.5\n"));
  const Profile& x = profile_of(result, "x");
  EXPECT_FALSE(x.lower.has_value());
  EXPECT_EQ(x.points.front().value, 0);
  EXPECT_NE(x.sentence.find("no lower limit within its bounds"), std::string::npos) << x.sentence;
}

TEST(Profiles, KeepConstraints) {
  const FitResult result = profiled(problem_of(
      "equations: {x: -a*x, y: -b*y}\ninitial: {x: 1, y: 1}\nparameters: {a: {guess: 0.5}, b: {guess: 0.6}}\n"
      "observables: {u: {formula: x, noise: 0.05}, v: {formula: y, noise: 0.05}}\nconstraints: [a + b == 1]\n"
      "data: data.csv\n",
      "time,u,v\n1,0.66,0.52\n2,0.45,0.29\n3,0.28,0.16\n"));
  const Profile& a = profile_of(result, "a");
  ASSERT_TRUE(a.lower && a.upper) << a.sentence;
  for (const Profile::Point& point : a.points) EXPECT_NEAR(point.others[0] + point.others[1], 1, 1e-6);
  const Estimate& estimate = test::estimate_of(result, "a");
  EXPECT_NEAR(*a.upper, estimate.interval->second, 0.1 * *estimate.standard_error);
}

// All six quantities, both sides: the work of at most sixty fits.
TEST(Profiles, OfPredatorAndPreyCostLittle) {
  const FitResult alone = fit_of(test::predator_prey());
  const FitResult result = profiled(test::predator_prey());
  ASSERT_TRUE(result.profiles.has_value()) << result.message;
  EXPECT_EQ(result.profiles->profiles.size(), 6u);
  for (const Profile& profile : result.profiles->profiles)
    EXPECT_EQ(profile.verdict, Verdict::identifiable) << profile.sentence;
  EXPECT_LE(static_cast<double>(result.profiles->work.rhs), 60.0 * static_cast<double>(alone.work.rhs));
}

TEST(Profiles, AreTheSameBitsOnAnyNumberOfThreadsAndWhenTakenUpAgain) {
  std::vector<FinishedSide> sides;
  std::vector<double> optimum;
  ProfileOptions keeping;
  keeping.keep = [&](const FinishedSide& side, const std::vector<double>& at) {
    sides.push_back(side);
    optimum = at;
  };
  const FitResult one = profiled(puromycin(), keeping, 1);
  const FitResult two = profiled(puromycin(), {}, 2);
  ASSERT_EQ(sides.size(), 6u);
  sides.resize(4);
  ProfileOptions resumed;
  resumed.finished = sides;
  resumed.optimum = optimum;
  int followed = 0;
  resumed.keep = [&](const FinishedSide&, const std::vector<double>&) { ++followed; };
  const FitResult again = profiled(puromycin(), resumed, 1);
  EXPECT_EQ(followed, 2);
  for (const FitResult* other : {&two, &again})
    for (std::size_t k = 0; k < one.profiles->profiles.size(); ++k) {
      EXPECT_EQ(one.profiles->profiles[k].lower, other->profiles->profiles[k].lower);
      EXPECT_EQ(one.profiles->profiles[k].upper, other->profiles->profiles[k].upper);
    }
}

TEST(Study, CountsTheCoverageOfProfiles) {
  StudyOptions options{.fit = {.threads = 2}, .replicates = 200, .truth = {{"b", 1}, {"x", 1}, {"noise_seen", 0.3}}};
  options.by_profile = true;
  const StudyResult result =
      study(problem_of("equations: {x: b}\ninitial: {x: {guess: 0}}\nparameters: {b: {guess: 1}}\n"
                       "observables: {seen: {formula: x}}\ndata: data.csv\n",
                       "time,seen\n0,1.1\n1,1.7\n2,3.2\n3,3.6\n5,5.9\n"),
            options, {});
  EXPECT_NEAR(result.quantities[0].coverage95, 0.95, 0.05);
}

TEST(Profiles, OfNamesThatDoNotExistAreRefused) {
  EXPECT_EQ(check_profiles(puromycin(), {.ids = {"Vmax"}}).size(), 1u);
  EXPECT_EQ(check_profiles(puromycin(), {.predictions = {{.observable = "rat", .time = 1}}}).size(), 1u);
  EXPECT_EQ(check_profiles(puromycin(), {.predictions = {{.observable = "rate", .time = -1}}}).size(), 1u);
  EXPECT_TRUE(check_profiles(puromycin(), {.ids = {"K"}, .predictions = {{.observable = "rate", .time = 3}}}).empty());
}

}  // namespace
}  // namespace salvo::fit
