#include "uncertainty/profiles/profiles.hpp"

#include "base/distributions.hpp"
#include "fits.hpp"
#include "formats/folder.hpp"
#include "formats/problem/read.hpp"
#include "helpers/memory_board.hpp"

namespace salvo::fit {
namespace {

using test::fit_of;

model::Problem problem_of(const std::string& yaml, const std::string& csv) {
  const formats::Folder folder({{"problem.yaml", yaml}, {"data.csv", csv}});
  return *formats::read_problem(folder / "problem.yaml");
}

FitResult profiled(const model::Problem& problem, ProfileOptions options = {}, int threads = 1) {
  return profile(problem, {.threads = threads}, options, {});
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
  EXPECT_NEAR(vm.lower.value(), 197.30193, 2e-5);
  EXPECT_NEAR(vm.upper.value(), 229.28906, 2e-5);
  EXPECT_NEAR(k.lower.value(), 0.046920342, 1e-8);
  EXPECT_NEAR(k.upper.value(), 0.086156913, 1e-8);
  EXPECT_EQ(k.verdict, Verdict::identifiable);
}

// The table of estimates beside profiles has their ends, not those of standard errors.
TEST(Profiles, GiveTheirEndsToTheEstimates) {
  const FitResult result = profiled(puromycin(), {.ids = {"K"}});
  const Estimate& k = test::estimate_of(result, "K");
  ASSERT_TRUE(k.interval && k.interval_wald);
  EXPECT_EQ(k.interval_kind, IntervalKind::likelihood);
  EXPECT_NEAR(k.interval->first, 0.046920342, 1e-8);
  EXPECT_NEAR(k.interval->second, 0.086156913, 1e-8);
  EXPECT_GT(std::abs(k.interval_wald->second - k.interval->second), 1e-4);
  EXPECT_FALSE(k.is_unchecked);
  EXPECT_TRUE(test::estimate_of(result, "Vm").is_unchecked);  // it was not asked for
}

TEST(Profiles, OfOxygenDemandAreLopsided) {
  const FitResult result =
      profiled(problem_of("equations: {x: 0}\ninitial: {x: 0}\nparameters: {A: {guess: 20}, k: {guess: 0.5}}\n"
                          "observables: {demand: {formula: A*(1 - exp(-k*t))}}\ndata: data.csv\n",
                          "time,demand\n1,8.3\n2,10.3\n3,19.0\n4,16.0\n5,15.6\n7,19.8\n"));
  EXPECT_NEAR(profile_of(result, "A").lower.value(), 14.049364, 1e-5);
  EXPECT_NEAR(profile_of(result, "A").upper.value(), 38.456198, 3e-5);
  EXPECT_NEAR(profile_of(result, "k").lower.value(), 0.13139775, 1e-7);
  EXPECT_NEAR(profile_of(result, "k").upper.value(), 1.8081696, 1e-6);
}

// NIST's Misra1a and DanWood; ends by bisection on the residual sum of squares, computed independently.
TEST(Profiles, OfNistsRegressionsAreExact) {
  const FitResult misra = profiled(
      problem_of("start: 0\nequations: {x: 0}\ninitial: {x: 0}\nparameters: {b1: {guess: 250}, b2: {guess: 0.0005}}\n"
                 "observables: {y: {formula: 'b1*(1 - exp(-b2*t))'}}\ndata: data.csv\n",
                 "time,y\n77.6,10.07\n114.9,14.73\n141.1,17.94\n190.8,23.93\n239.9,29.61\n289.0,35.18\n332.8,40.02\n"
                 "378.4,44.82\n434.8,50.76\n477.3,55.05\n536.8,61.01\n593.1,66.40\n689.1,75.47\n760.0,81.78\n"));
  EXPECT_NEAR(profile_of(misra, "b1").lower.value(), 233.195308, 1e-5);
  EXPECT_NEAR(profile_of(misra, "b1").upper.value(), 245.017369, 1e-5);
  EXPECT_NEAR(profile_of(misra, "b2").lower.value(), 5.34318268e-4, 1e-11);
  EXPECT_NEAR(profile_of(misra, "b2").upper.value(), 5.66029897e-4, 1e-11);
  const FitResult wood = profiled(
      problem_of("start: 1\nequations: {x: 0}\ninitial: {x: 0}\nparameters: {b1: {guess: 0.7}, b2: {guess: 4}}\n"
                 "observables: {y: {formula: 'b1*t^b2'}}\ndata: data.csv\n",
                 "time,y\n1.309,2.138\n1.471,3.421\n1.490,3.597\n1.565,4.340\n1.611,4.882\n1.680,5.660\n"));
  EXPECT_NEAR(profile_of(wood, "b1").lower.value(), 0.719607163, 1e-7);
  EXPECT_NEAR(profile_of(wood, "b1").upper.value(), 0.820769803, 1e-7);
  EXPECT_NEAR(profile_of(wood, "b2").lower.value(), 3.71805866, 1e-6);
  EXPECT_NEAR(profile_of(wood, "b2").upper.value(), 4.00418316, 1e-6);
}

// The ends of an estimated noise are those of its chi-squared law.
TEST(Profiles, OfNoiseAreThoseOfItsLaw) {
  const FitResult result = profiled(puromycin());
  const Profile& noise = profile_of(result, "noise_rate");
  const Estimate& estimate = test::estimate_of(result, "noise_rate");
  EXPECT_NEAR(noise.lower.value(), estimate.interval->first, 1e-4);
  EXPECT_NEAR(noise.upper.value(), estimate.interval->second, 1e-4);
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
  options.predictions = {{.formula = "seen", .time = 8}};
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

model::Problem line_with_definition() {
  return problem_of(
      "equations: {x: b}\ninitial: {x: {guess: 0}}\nparameters: {b: {guess: 1}, known: 2}\n"
      "definitions: {twice: 2*x}\nobservables: {seen: {formula: x, noise: 0.3}}\ndata: data.csv\n",
      "time,seen\n0,1.1\n1,1.7\n2,3.2\n3,3.6\n5,5.9\n");
}

Profile prediction_of_the_line(const PredictionWanted& wanted) {
  const FitResult result = profiled(line_with_definition(), {.predictions = {wanted}});
  EXPECT_TRUE(result.profiles && result.profiles->profiles.size() == 1) << result.message;
  return result.profiles ? result.profiles->profiles[0] : Profile{};
}

// Of a line a + b t every formula that is linear in a and b has the classical interval: u a + v b, with noise 0.3.
TEST(Profiles, OfAnyFormulaAreThoseOfWhatItMeans) {
  const std::vector<double> times{0, 1, 2, 3, 5};
  const std::vector<double> seen{1.1, 1.7, 3.2, 3.6, 5.9};
  double s1 = 0, st = 0, stt = 0, sy = 0, sty = 0;
  for (std::size_t k = 0; k < times.size(); ++k)
    s1 += 1, st += times[k], stt += times[k] * times[k], sy += seen[k], sty += times[k] * seen[k];
  const double det = s1 * stt - st * st;
  const double a = (stt * sy - st * sty) / det;
  const double b = (s1 * sty - st * sy) / det;
  struct Asked {
    PredictionWanted wanted;
    std::string id;
    double u, v;
  };
  const std::vector<Asked> all = {
      {{.formula = "x", .time = 8}, "x@8", 1, 8},
      {{.formula = "twice", .time = 8}, "twice@8", 2, 16},
      {{.formula = "twice + b*t - seen/known", .time = 4}, "twice + b*t - seen/known@4", 1.5, 10},
      {{.formula = "3*b"}, "3*b", 0, 3}};
  for (const auto& [wanted, id, u, v] : all) {
    const Profile profile = prediction_of_the_line(wanted);
    const double sd = 0.3 * std::sqrt((u * u * stt - 2 * u * v * st + v * v * s1) / det);
    EXPECT_EQ(profile.id, id);
    EXPECT_NEAR(profile.estimate, u * a + v * b, 1e-6) << id;
    EXPECT_NEAR(profile.lower.value(), u * a + v * b - normal_quantile_975 * sd, 1e-4) << id;
    EXPECT_NEAR(profile.upper.value(), u * a + v * b + normal_quantile_975 * sd, 1e-4) << id;
  }
}

// The logarithm of a decay is a line, and the ends of a prediction are those of the line at that time, over decades.
TEST(Profiles, OfAPredictionThatCannotBeNegativeGoDownThroughDecades) {
  const std::vector<double> times{0, 1, 2, 3};
  const std::vector<double> seen{2.1, 0.9, 0.8, 0.3};
  double mean = 0, slope = 0;
  for (std::size_t k = 0; k < times.size(); ++k) {
    mean += std::log(seen[k]) / 4;
    slope += (times[k] - 1.5) * std::log(seen[k]) / 5;
  }
  const FitResult result =
      profiled(problem_of("equations: {x: -k*x}\ninitial: {x: {guess: 1}}\nparameters: {k: {guess: 1}}\n"
                          "observables: {seen: {formula: x, noise: 0.5, distribution: log-normal}}\ndata: data.csv\n",
                          "time,seen\n0,2.1\n1,0.9\n2,0.8\n3,0.3\n"),
               {.predictions = {{.formula = "x", .time = 9}}});
  const Profile& at_9 = profile_of(result, "x@9");
  const double centre = mean + 7.5 * slope;
  const double sd = 0.5 * std::sqrt(0.25 + 7.5 * 7.5 / 5);
  EXPECT_NEAR(at_9.lower.value_or(0) / std::exp(centre - normal_quantile_975 * sd), 1, 2e-4);
  EXPECT_NEAR(at_9.upper.value_or(0) / std::exp(centre + normal_quantile_975 * sd), 1, 2e-4);
  EXPECT_EQ(at_9.verdict, Verdict::identifiable);
}

// A parameter as a prediction, pulled, has the ends that it has when it is held: behind a wall, at its bound, where the
// other sign fits as well, in a bent valley, and with two noises, of which each has its part in the error.
TEST(Profiles, OfAParameterAreTheSamePulledAndHeld) {
  struct Case {
    std::string yaml, csv, id;
  };
  const std::vector<Case> cases = {
      {"equations: {x: k*(1 - x)}\ninitial: {x: 0}\nparameters: {k: {guess: 2}}\n"
       "observables: {seen: {formula: x, noise: 0.02}}\ndata: data.csv\n",
       "time,seen\n1.0,0.9997\n2.0,1.006\n3.0,0.9945\n4.0,0.9822\n5.0,0.9909\n6.0,0.9802\n", "k"},
      {"equations: {x: g}\ninitial: {x: {guess: 1}}\nparameters: {g: {guess: 0.1, bounds: [0, 5]}}\n"
       "observables: {seen: {formula: x, noise: 0.1}}\ndata: data.csv\n",
       "time,seen\n0.0,1.032\n1.0,1.058\n2.0,1.134\n3.0,0.918\n4.0,0.769\n5.0,0.89\n6.0,0.881\n7.0,0.978\n8.0,0.693\n9."
       "0,0.756\n",
       "g"},
      {"equations: {s: -V*s/(K + s)}\ninitial: {s: {guess: 4}}\nparameters: {V: {guess: 2}, K: {guess: 4}}\n"
       "observables: {seen: {formula: s}}\ndata: data.csv\n",
       "time,seen\n0.0,5.0449\n1.0,3.4627\n2.0,2.2418\n3.0,1.519\n4.0,1.0825\n5.0,0.6067\n6.0,0.4514\n7.0,0.3138\n8.0,"
       "0.2767\n9.0,0.1779\n",
       "V"},
      {"equations: {u: -a*u, v: -b*v}\ninitial: {u: A, v: B}\nparameters:\n  a: {guess: 1.5}\n  b: {guess: 0.2}\n"
       "  A: {guess: 1}\n  B: {guess: 1}\nobservables: {seen: {formula: u + v, noise: 0.02}}\ndata: data.csv\n",
       "time,seen\n0.0,1.6021\n0.5,1.1043\n1.0,0.8118\n1.5,0.6196\n2.0,0.4377\n2.5,0.3564\n3.0,0.2557\n3.5,0.2144\n4.0,"
       "0.1622\n4.5,0.162\n5.0,0.1153\n5.5,0.1247\n",
       "A"},
      {"equations: {x: -k*x}\ninitial: {x: {guess: 1}}\nparameters: {k: {guess: 0.5}, T: {guess: 1}}\n"
       "observables: {a: {formula: x}, b: {formula: T - x}}\ndata: data.csv\n",
       "time,a,b\n0.0,2.0574,0.1605\n1.0,1.492,0.4436\n2.0,1.1237,0.986\n3.0,0.8088,1.1321\n4.0,0.6152,1.6174\n5.0,0."
       "4714,1.2481\n6.0,0.2737,1.7948\n7.0,0.2087,1.8739\n8.0,0.2084,1.8007\n",
       "T"}};
  for (const auto& [yaml, csv, id] : cases) {
    SCOPED_TRACE(yaml);
    const FitResult result = profiled(problem_of(yaml, csv), {.ids = {id}, .predictions = {{.formula = "1*" + id}}});
    ASSERT_TRUE(result.profiles && result.profiles->profiles.size() == 2) << result.message;
    const Profile& held = result.profiles->profiles[0];
    const Profile& pulled = result.profiles->profiles[1];
    for (const auto& [of_held, of_pulled] :
         {std::pair{held.lower, pulled.lower}, std::pair{held.upper, pulled.upper}}) {
      ASSERT_EQ(of_held.has_value(), of_pulled.has_value()) << held.sentence << "\n" << pulled.sentence;
      if (of_held) {
        EXPECT_NEAR(*of_pulled, *of_held, 1e-4 * std::abs(*of_held - held.estimate)) << pulled.sentence;
      }
    }
  }
}

// A profile does not mind on which scale a number is looked at.
TEST(Profiles, OfAFormulaOfOneParameterHaveItsEnds) {
  const FitResult result = profiled(puromycin(), {.ids = {"K"}, .predictions = {{.formula = "log10(K)"}}});
  EXPECT_NEAR(profile_of(result, "log10(K)").lower.value(), std::log10(0.046920342), 1e-5);
  EXPECT_NEAR(profile_of(result, "log10(K)").upper.value(), std::log10(0.086156913), 1e-5);
}

// At every point of the path the trajectory is the line of that point.
TEST(Profiles, ComeWithTheTrajectoriesAlongThem) {
  const FitResult result = profiled(line_with_definition(), {.ids = {"b"}, .trajectories = true});
  const Profile& profile = profile_of(result, "b");
  ASSERT_GT(profile.points.size(), 4u);
  for (const Profile::Point& point : profile.points) {
    ASSERT_EQ(point.arcs.size(), 1u);
    const Arc& arc = point.arcs[0];
    for (std::size_t k = 0; k < arc.time.size(); ++k)
      EXPECT_NEAR(arc.observables(0, static_cast<int>(k)), point.others[1] + point.others[0] * arc.time[k], 1e-7);
  }
  EXPECT_TRUE(profile_of(profiled(line_with_definition()), "b").points[0].arcs.empty());
}

// Oxygen demand at 20 days by an independent way: with A (1 - exp(-20 k)) as parameter in the place of A, its profile
// is that of the prediction.
TEST(Profiles, OfACurvedPredictionAreThoseOfItAsAParameter) {
  const std::string csv = "time,demand\n1,8.3\n2,10.3\n3,19.0\n4,16.0\n5,15.6\n7,19.8\n";
  ProfileOptions options;
  options.predictions = {{.formula = "demand", .time = 20}};
  const FitResult predicted =
      profiled(problem_of("equations: {x: k*(A - x)}\ninitial: {x: 0}\nparameters: {A: {guess: 20}, k: {guess: 0.5}}\n"
                          "observables: {demand: {formula: x}}\ndata: data.csv\n",
                          csv),
               options);
  const FitResult direct =
      profiled(problem_of("equations: {x: 0}\ninitial: {x: 0}\nparameters: {P: {guess: 20}, k: {guess: 0.5}}\n"
                          "observables: {demand: {formula: 'P*(1 - exp(-k*t))/(1 - exp(-20*k))'}}\ndata: data.csv\n",
                          csv));
  const Profile& by_pulling = profile_of(predicted, "demand@20");
  const Profile& by_holding = profile_of(direct, "P");
  EXPECT_NEAR(by_pulling.estimate, by_holding.estimate, 1e-5);
  EXPECT_NEAR(by_pulling.lower.value(), by_holding.lower.value(), 2e-5 * *by_holding.lower);
  EXPECT_NEAR(by_pulling.upper.value(), by_holding.upper.value(), 2e-5 * *by_holding.upper);
  // Points lie where they were wanted: the value of each, predicted by its own parameters.
  for (const Profile::Point& point : by_pulling.points)
    EXPECT_NEAR(point.value, point.others[0] * (1 - std::exp(-20 * point.others[1])), 1e-5 * point.value);
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
  EXPECT_EQ(k.combinations, std::vector<std::string>{"V/K = 0.3705"});
  EXPECT_LE(k.points.size(), 20u);
}

// Where the best fit is that of V and K beyond all bounds, the estimates run away to where the fit is level, and a
// limit still lies near the guess. Ends by Lambert's W, computed independently.
TEST(Profiles, OfEstimatesThatRanAwayComeBack) {
  for (const std::string scale : {", scale: log", ""}) {
    const FitResult result = profiled(problem_of(
        "equations: {s: -V*s/(K + s)}\ninitial: {s: 1}\nparameters:\n  V: {guess: 2" + scale + "}\n  K: {guess: 3" +
            scale + "}\nobservables: {seen: {formula: s, noise: 0.02}}\ndata: data.csv\n",
        "time,seen\n0.5,0.8\n1,0.67\n1.5,0.565\n2,0.46\n3,0.285\n4,0.225\n5,0.15\n6,0.11\n8,0.06\n10,0.045\n"));
    for (const auto& [id, lower] : {std::pair{"V", 2.6150462}, std::pair{"K", 6.1180721}}) {
      const Profile& profile = profile_of(result, id);
      EXPECT_EQ(profile.verdict, Verdict::one_sided) << profile.sentence;
      EXPECT_NEAR(profile.lower.value_or(0), lower, 1e-4 * lower) << profile.sentence;
      EXPECT_FALSE(profile.upper.has_value());
      EXPECT_EQ(profile.combinations, std::vector<std::string>{"V/K = 0.3885"});
    }
  }
}

// With K at its lower bound the flow is stiff, and the first trial on the way looks where it is easy: that is no
// measure of what the next ones may cost. The end by Lambert's W, computed independently.
TEST(Profiles, LeaveABoundWhereTheFlowIsStiff) {
  const FitResult result = profiled(
      problem_of("equations: {s: -V*s/(K + s)}\ninitial: {s: {guess: 4}}\nparameters:\n"
                 "  V: {guess: 2, bounds: [1e-3, 1e3], scale: log}\n  K: {guess: 1, bounds: [1e-4, 1e4], scale: log}\n"
                 "observables: {seen: {formula: s, noise: 0.1}}\ndata: data.csv\n",
                 "time,seen\n0,4.9933\n1,4.069\n2,3.1489\n3,1.9416\n4,1.0363\n5,0.0004\n6,0.0127\n7,-0.1187\n"
                 "8,-0.0579\n9,-0.0196\n"),
      {.ids = {"V"}});
  EXPECT_NEAR(profile_of(result, "V").upper.value(), 1.101384, 1e-5);
}

// On a linear scale V and K may pass through infinity to the other sign, and zero lies between two regions that fit.
TEST(Profiles, DoNotStepOverAPole) {
  const FitResult result =
      profiled(problem_of("equations: {s: -V*s/(K + s)}\ninitial: {s: 1}\nparameters: {V: {guess: 2}, K: {guess: 4}}\n"
                          "observables: {seen: {formula: s, noise: 0.02}}\ndata: data.csv\n",
                          "time,seen\n0.5,0.83\n1,0.69\n1.5,0.585\n2,0.475\n3,0.335\n4,0.22\n5,0.155\n6,0.1\n"));
  const Profile& k = profile_of(result, "K");
  EXPECT_EQ(k.verdict, Verdict::one_sided) << k.sentence;
  EXPECT_NEAR(k.lower.value(), 1.955, 1e-3);
}

// With one species seen the other is known up to a factor.
TEST(Profiles, OfAHiddenSpeciesNameTheProductThatIsSeen) {
  const FitResult result = profiled(problem_of(
      "equations: {x1: -p1*x1 + p2*x1*x2, x2: p3*x2 - p4*x1*x2}\ninitial: {x1: {guess: 0.4}, x2: {guess: 1}}\n"
      "parameters: {p1: {guess: 0.5}, p2: {guess: 0.5}, p3: {guess: 0.5}, p4: {guess: 0.5}}\n"
      "observables: {predator: {formula: x1, noise: 0.05}}\ndata: data.csv\n",
      "time,predator\n0,0.383652\n1,0.50\n2,1.0\n3,1.85\n4,2.05\n5,1.4\n6,0.78\n7,0.46\n8,0.41\n9,0.70\n10,1.5\n"));
  for (const std::string id : {"p2", "x2"}) {
    const Profile& profile = profile_of(result, id);
    EXPECT_EQ(profile.verdict, Verdict::flat) << profile.sentence;
    EXPECT_FALSE(profile.lower || profile.upper);
    ASSERT_EQ(profile.combinations.size(), 1u) << profile.sentence;
    EXPECT_TRUE(profile.combinations[0].starts_with("p2*x2 = ")) << profile.combinations[0];
  }
  EXPECT_EQ(profile_of(result, "p1").verdict, Verdict::identifiable);
  EXPECT_NE(result.profiles->sentence.find("p2 and x2 are not identifiable, but p2*x2 is"), std::string::npos)
      << result.profiles->sentence;
  EXPECT_LE(result.profiles->fits, 250);
}

TEST(Profiles, NameTheSumThatIsSeen) {
  const FitResult result = profiled(
      problem_of("equations: {x: a + b}\ninitial: {x: {guess: 0}}\nparameters: {a: {guess: 1}, b: {guess: 1}}\n"
                 "observables: {seen: {formula: x, noise: 0.3}}\ndata: data.csv\n",
                 "time,seen\n0,1.1\n1,1.7\n2,3.2\n3,3.6\n5,5.9\n"));
  const Profile& a = profile_of(result, "a");
  EXPECT_EQ(a.verdict, Verdict::flat) << a.sentence;
  ASSERT_EQ(a.combinations.size(), 1u) << a.sentence;
  EXPECT_TRUE(a.combinations[0].starts_with("a + b = ")) << a.combinations[0];
}

// Of two factors only the product is seen.
TEST(Profiles, OfWhatIsNotSeenAreFlatAndNameTheOther) {
  const FitResult result = profiled(problem_of(
      "equations: {x: -a*b*x}\ninitial: {x: 1}\nparameters:\n  a: {guess: 0.5, bounds: [0.01, 100]}\n"
      "  b: {guess: 1, bounds: [0.01, 100]}\nobservables: {seen: {formula: x, noise: 0.02}}\ndata: data.csv\n",
      "time,seen\n1,0.66\n2,0.45\n3,0.28\n4,0.2\n"));
  const Profile& a = profile_of(result, "a");
  EXPECT_EQ(a.verdict, Verdict::flat) << a.sentence;
  ASSERT_EQ(a.combinations.size(), 1u) << a.sentence;
  EXPECT_TRUE(a.combinations[0].starts_with("a*b = ")) << a.sentence;
}

// A rise that begins after a lag: either early and slowly, or late and as fast as you like. The way of the lag meets
// both; the rate alone, held at larger values, would stay with the early one. By hand: at k = 1000 and tau = 2.9984 the
// curve is a step, and misses the data by hardly more than at its best.
TEST(Profiles, LookIntoValleysThatOthersHaveFound) {
  const FitResult result = profiled(problem_of(
      "equations: {x: 'piecewise(k*(1 - x), t > tau, 0)'}\ninitial: {x: 0}\nparameters:\n"
      "  tau: {guess: 2.2, bounds: [0, 7]}\n  k: {guess: 2, bounds: [0.01, 1000], scale: log}\n"
      "observables: {seen: {formula: x, noise: 0.05}}\ndata: data.csv\n",
      "time,seen\n0.0,-0.0489\n1.0,-0.0404\n2.0,0.053\n3.0,0.7943\n4.0,0.9901\n5.0,1.0438\n6.0,0.9708\n7.0,0.9944\n"));
  const Profile& k = profile_of(result, "k");
  EXPECT_EQ(k.verdict, Verdict::several_minima) << k.sentence;
  EXPECT_TRUE(k.lower.has_value());
  EXPECT_FALSE(k.upper.has_value()) << k.sentence;
  const std::vector<double> seen{-0.0489, -0.0404, 0.053, 0.7943, 0.9901, 1.0438, 0.9708, 0.9944};
  double step = 0;
  for (int t = 0; t < 8; ++t)
    step += 0.5 * std::pow((seen[t] - (t > 2 ? 1 - std::exp(-1000 * (t - 2.9984)) : 0)) / 0.05, 2);
  EXPECT_LT(step - 0.5 * result.chi2, k.rise);
}

// Held at a large rate, a logistic curve fits in two ways: beginning with next to nothing, or not so small. The path
// comes into the first, where the rate seems to end at 3.63; with the second it goes on. Computed independently, from
// 25 starts at each rate: the rises at 3.63 and 4 are 1.7800 and 1.8718.
TEST(Profiles, LookAtTheirEndsFromTheOptimumToo) {
  const FitResult result = profiled(
      problem_of("equations: {x: r*x*(1-x/K)}\ninitial: {x: x0}\nparameters:\n  K: {guess: 3, bounds: [0.03, 300]}\n"
                 "  x0: {guess: 0.2, bounds: [0.002, 20]}\n  r: {guess: 0.8, scale: log, bounds: [0.008, 80]}\n"
                 "observables: {seen: {formula: x, noise: 0.8894}}\ndata: data.csv\n",
                 "time,seen\n0.02,1.06281\n0.85,1.4155\n0.92,0.554131\n1.84,1.75906\n2.06,1.98364\n3.34,2.22552\n"
                 "4.33,2.71259\n5.36,3.3807\n6.87,3.10941\n7.17,3.13213\n"),
      {.ids = {"r"}});
  const Profile& r = profile_of(result, "r");
  EXPECT_GT(r.upper.value(), 4);
  EXPECT_LT(r.upper.value(), 5);
  EXPECT_EQ(r.verdict, Verdict::identifiable) << r.sentence;
}

// A sum that is known to eleven digits binds two numbers together: the slope of one alone is rounding. The ends by
// bisection with B = 100 - A, computed independently.
TEST(Profiles, FollowWhatASumOfManyDigitsBinds) {
  const FitResult result = profiled(problem_of(
      "equations: {A: -k1*A + k2*B, B: k1*A - k2*B}\ninitial: {A: {guess: 60}, B: {guess: 30}}\nparameters:\n"
      "  k1: {guess: 0.2, bounds: [0, 10]}\n  k2: {guess: 0.3, bounds: [0, 10]}\nobservables:\n"
      "  a: {formula: A, noise: 1}\n  b: {formula: B, noise: 1}\n  total: {formula: A + B, noise: 1e-9}\n"
      "data: data.csv\n",
      "time,a,b,total\n0,79.198,20.749,100.000000001\n1,60.215,40.095,\n2,50.641,49.384,\n"
      "3,45.164,54.023,\n4,42.335,57.843,99.9999999985\n6,38.083,63.627,\n8,36.347,63.304,\n"
      "10,35.757,61.726,100.0000000005\n"));
  EXPECT_NEAR(profile_of(result, "A").lower.value_or(0), 77.493716, 3e-5);
  EXPECT_NEAR(profile_of(result, "A").upper.value_or(0), 80.162562, 3e-5);
  EXPECT_NEAR(profile_of(result, "B").lower.value_or(0), 100 - 80.162562, 3e-5);
  EXPECT_NEAR(profile_of(result, "B").upper.value_or(0), 100 - 77.493716, 3e-5);
  EXPECT_LE(result.profiles->fits, 100);
}

// Two decays may change places: with one of them so fast that it is over before the first datum, its size does not
// matter, and the other one is the whole curve. The path of the size stays with the slow one, and seems to end at 5.7.
TEST(Profiles, LookWhereOthersHaveNoEnd) {
  const FitResult result = profiled(problem_of(
      "equations: {x: -a*x, y: -b*y}\ninitial: {x: A, y: B}\nparameters:\n  A: {guess: 2, bounds: [0.02, 200]}\n"
      "  a: {guess: 1.5, bounds: [0.015, 150]}\n  B: {guess: 1, scale: log, bounds: [0.01, 100]}\n"
      "  b: {guess: 0.2, scale: log, bounds: [0.002, 20]}\n"
      "  sg: {guess: 0.2, bounds: [2e-05, 2000], scale: log}\n"
      "observables: {seen: {formula: x + y, noise: sg, distribution: log-normal}}\ndata: data.csv\n",
      "time,seen\n0.26,1.49171\n1.1,0.542802\n1.17,1.17953\n1.44,0.750411\n1.6,0.409562\n1.67,0.471616\n"
      "1.67,0.712281\n"));
  const Profile& A = profile_of(result, "A");
  EXPECT_FALSE(A.upper.has_value()) << A.sentence;
}

// One number among limits: hardly anything is known, and what a measurement would help is still a number.
TEST(Profiles, SayWhatAMeasurementHelpsWhereLittleIsKnown) {
  const FitResult result =
      profiled(problem_of("equations: {x: -k*x}\ninitial: {x: {guess: 1}}\nparameters: {k: {guess: 0.1}}\n"
                          "observables: {seen: {formula: x, noise: 0.05}}\ndata: data.csv\n",
                          "time,seen\n0,>1.9\n2,1.63\n24,<0.2\n26,<0.2\n"),
               {.ids = {"x"}});
  ASSERT_TRUE(result.next_measurement.has_value());
  EXPECT_EQ(result.next_measurement->sentence.find("nan"), std::string::npos) << result.next_measurement->sentence;
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
  const FitResult one = profiled(puromycin(), {}, 1);
  const FitResult two = profiled(puromycin(), {}, 2);
  MemoryBoard board;
  const FitResult kept = profile(puromycin(), {.threads = 2}, {}, {.board = &board});
  EXPECT_EQ(board.count, 13) << "the fit, six sides, and their ends";
  board.forget("side.0", 4);
  board.forget("end.0", 1);
  board.count = 0;
  const FitResult again = profile(puromycin(), {.threads = 1}, {}, {.board = &board});
  EXPECT_EQ(board.count, 2);
  for (const FitResult* other : {&two, &kept, &again})
    for (std::size_t k = 0; k < one.profiles->profiles.size(); ++k) {
      EXPECT_EQ(one.profiles->profiles[k].lower, other->profiles->profiles[k].lower);
      EXPECT_EQ(one.profiles->profiles[k].upper, other->profiles->profiles[k].upper);
      EXPECT_EQ(one.profiles->profiles[k].points.size(), other->profiles->profiles[k].points.size());
    }
}

TEST(Study, CountsTheCoverageOfProfiles) {
  StudyOptions options{.fit = {.threads = 2}, .replicates = 200, .truth = {{"b", 1}, {"x", 1}, {"noise_seen", 0.3}}};
  options.intervals = estimate::Intervals::profile;
  const StudyResult result =
      study(problem_of("equations: {x: b}\ninitial: {x: {guess: 0}}\nparameters: {b: {guess: 1}}\n"
                       "observables: {seen: {formula: x}}\ndata: data.csv\n",
                       "time,seen\n0,1.1\n1,1.7\n2,3.2\n3,3.6\n5,5.9\n"),
            options, {});
  EXPECT_NEAR(result.quantities[0].coverage95, 0.95, 0.05);
}

TEST(Profiles, OfNamesThatDoNotExistAreRefused) {
  EXPECT_EQ(check_profiles(puromycin(), {.ids = {"Vmax"}}).size(), 1u);
  EXPECT_EQ(check_profiles(puromycin(), {.predictions = {{.formula = "rat", .time = 1}}}).size(), 1u);
  EXPECT_EQ(check_profiles(puromycin(), {.predictions = {{.formula = "rate", .time = -1}}}).size(), 1u);
  EXPECT_TRUE(check_profiles(puromycin(), {.ids = {"K"}, .predictions = {{.formula = "rate", .time = 3}}}).empty());
}

std::string refusal(const model::Problem& problem, const PredictionWanted& wanted) {
  const Issues issues = check_profiles(problem, {.predictions = {wanted}});
  return issues.empty() ? "" : issues[0].message;
}

TEST(Profiles, OfFormulasThatMeanNothingHereAreRefused) {
  const model::Problem line = line_with_definition();
  EXPECT_EQ(refusal(line, {.formula = "x + c", .time = 1}), "unknown name 'c'");
  EXPECT_EQ(refusal(line, {.formula = "2*twice"}), "2*twice: it changes with time, and no time is said");
  EXPECT_EQ(refusal(line, {.formula = "known*t", .time = 1}), "known*t: it depends on nothing that is estimated");
  EXPECT_NE(refusal(line, {.formula = "x +", .time = 1}), "");
  EXPECT_EQ(refusal(line, {.formula = "b"}), "");
}

TEST(Profiles, OfExperimentsNotYetMadeNeedTheirInitialValues) {
  const std::string equations =
      "equations: {x: -k*x}\ninitial: {x: 1}\nparameters: {k: {guess: 1}, dose: 1}\n"
      "observables: {seen: {formula: dose*x, noise: 0.05}}\ndata: data.csv\n"
      "experiments:\n  low: {}\n  planned: {set: {dose: 2}, initial: ";
  const std::string csv = "time,experiment,seen\n1,low,0.58\n2,low,0.38\n3,low,0.24\n";
  const model::Problem known = problem_of(equations + "{x: 3}}\n", csv);
  const model::Problem unknown = problem_of(equations + "{x: {guess: 3}}}\n", csv);
  const PredictionWanted wanted{.formula = "seen", .experiment = "planned", .time = 2};
  EXPECT_EQ(refusal(known, wanted), "");
  EXPECT_EQ(refusal(unknown, wanted), "nothing was measured in 'planned' that would tell the initial value of x");
  EXPECT_EQ(refusal(known, {.formula = "k"}), "");
  EXPECT_EQ(refusal(known, {.formula = "k*dose"}), "k*dose: the problem has several experiments");
  // 6 exp(-2 k) in the planned one: the ends are those of k.
  const FitResult result = profiled(known, {.ids = {"k"}, .predictions = {wanted}});
  const Profile& k = profile_of(result, "k");
  EXPECT_NEAR(profile_of(result, "planned:seen@2").upper.value(), 6 * std::exp(-2 * k.lower.value()), 1e-4);
  EXPECT_NEAR(profile_of(result, "planned:seen@2").lower.value(), 6 * std::exp(-2 * k.upper.value()), 1e-4);
}

}  // namespace
}  // namespace salvo::fit
