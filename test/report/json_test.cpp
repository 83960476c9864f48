#include "report/json.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "report/helpers.hpp"
#include "report/predator_prey.hpp"

namespace salvo::report {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> keys_of(const Json& object) {
  std::vector<std::string> keys;
  for (const auto& item : object.items()) keys.push_back(item.key());
  return keys;
}

Json fit_of(const test::Example& example) { return Json::parse(fit_json(example.problem, example.result)); }

TEST(FitJson, HasTheFieldsInTheirOrder) {
  EXPECT_EQ(keys_of(fit_of(test::predator_prey())), (std::vector<std::string>{"program",
                                                                              "version",
                                                                              "problem",
                                                                              "title",
                                                                              "method",
                                                                              "derivatives",
                                                                              "integrator",
                                                                              "nodes",
                                                                              "status",
                                                                              "ended",
                                                                              "message",
                                                                              "objective",
                                                                              "llh",
                                                                              "chi2",
                                                                              "log_prior",
                                                                              "measurements",
                                                                              "degrees_of_freedom",
                                                                              "aic",
                                                                              "bic",
                                                                              "aicc",
                                                                              "p_value",
                                                                              "gap",
                                                                              "certificate",
                                                                              "parameters",
                                                                              "initial",
                                                                              "derived",
                                                                              "fixed",
                                                                              "data_sha256",
                                                                              "model_sha256",
                                                                              "null_directions",
                                                                              "covariance",
                                                                              "iterations",
                                                                              "work",
                                                                              "trace",
                                                                              "by_observable",
                                                                              "alternatives"}));
}

TEST(FitJson, CarriesEveryNumberToTheLastBit) {
  auto example = test::predator_prey();
  example.result.objective = 0.1 + 0.2;
  example.result.llh = -1.0 / 3;
  example.result.gap = 5e-324;
  const Json json = fit_of(example);
  EXPECT_EQ(json["objective"].get<double>(), 0.1 + 0.2);
  EXPECT_EQ(json["llh"].get<double>(), -1.0 / 3);
  EXPECT_EQ(json["gap"].get<double>(), 5e-324);
  EXPECT_EQ(json["chi2"].get<double>(), example.result.chi2);
  EXPECT_EQ(json["nodes"], 11);
  EXPECT_EQ(json["status"], "converged");
  EXPECT_EQ(json["program"], "salvo");
  EXPECT_EQ(json["measurements"], 22);
  EXPECT_EQ(json["degrees_of_freedom"], 16);
  EXPECT_EQ(json["work"]["rhs"], 12345);
  EXPECT_EQ(json["trace"][0]["p"], Json({0.5, 0.5, 0.5, -0.2}));
}

TEST(FitJson, DescribesAParameterAndAnInitialValue) {
  const Json json = fit_of(test::predator_prey());
  EXPECT_EQ(keys_of(json["parameters"][0]),
            (std::vector<std::string>{"id", "estimate", "standard_error", "interval", "interval_kind", "interval_wald",
                                      "interval_checked", "standard_error_observed", "student_degrees", "scale",
                                      "bounds", "at_bound", "identifiable"}));
  EXPECT_EQ(json["parameters"].size(), 4);
  EXPECT_EQ(json["parameters"][0]["id"], "p1");
  EXPECT_EQ(json["parameters"][0]["interval"][0].get<double>(), 1 - 1.96 * 0.0123);
  EXPECT_TRUE(json["parameters"][0]["at_bound"].is_null());
  EXPECT_EQ(json["initial"][0]["id"], "x1");
  EXPECT_EQ(json["initial"][0]["experiment"], "default");
}

TEST(FitJson, SaysNullForWhatDoesNotExist) {
  auto example = test::predator_prey();
  auto& p2 = example.result.parameters[1];
  p2.standard_error.reset();
  p2.interval.reset();
  p2.at_bound = AtBound::lower;
  example.result.p_value.reset();
  for (int k = 0; k < 6; ++k) example.result.covariance(1, k) = example.result.covariance(k, 1) = nan;
  example.result.covariance(0, 2) = nan;
  const Json json = fit_of(example);
  EXPECT_TRUE(json["parameters"][1]["standard_error"].is_null());
  EXPECT_TRUE(json["parameters"][1]["interval"].is_null());
  EXPECT_EQ(json["parameters"][1]["at_bound"], "lower");
  EXPECT_TRUE(json["p_value"].is_null());
  EXPECT_TRUE(json["covariance"]["matrix"][1][0].is_null());
  EXPECT_TRUE(json["covariance"]["matrix"][5][1].is_null());
  EXPECT_EQ(json["covariance"]["matrix"][0][2], "nan") << "a NaN that no missing standard error explains";
}

TEST(FitJson, SaysNullForWhatTheCertificateDidNotMeasure) {
  auto example = test::predator_prey();
  example.result.certificate = {.gap = 1e-9, .gain = 1e-7, .is_of_nodes = true};
  EXPECT_EQ(fit_of(example)["certificate"],
            Json::parse(R"({"gap":1e-9,"constraint_violation":0.0,"gain":1e-7,"resolution":null,"integration":null,
                            "contraction":null,
                            "probes":[],"rank":null,"is_resolved":true,"is_of_nodes":true,"is_flat":false,"missing":""})"));
}

TEST(FitJson, ListsOtherAnswers) {
  auto example = test::predator_prey();
  example.result.alternatives = {{.parameters = {{"p1", 2}}, .objective = 3.5, .sentence = "p1 = 2 fits as well"}};
  EXPECT_EQ(fit_of(example)["alternatives"],
            Json::parse(R"([{"parameters":{"p1":2.0},"objective":3.5,"sentence":"p1 = 2 fits as well"}])"));
}

TEST(FitJson, FindsTheInitialValueOfOneExperimentInTheCovariance) {
  auto example = test::predator_prey();
  example.result.covariance_ids[4] = "default:x1";
  example.result.initial[0].standard_error.reset();
  example.result.covariance(4, 4) = nan;
  EXPECT_TRUE(fit_of(example)["covariance"]["matrix"][4][4].is_null());
}

TEST(FitJson, WritesNumbersThatAreNotFiniteAsWords) {
  auto example = test::predator_prey();
  example.result.objective = inf;
  example.result.llh = -inf;
  example.result.chi2 = nan;
  const Json json = fit_of(example);
  EXPECT_EQ(json["objective"], "inf");
  EXPECT_EQ(json["llh"], "-inf");
  EXPECT_EQ(json["chi2"], "nan");
}

TEST(FitJson, NamesNullDirectionsStartsAndValidation) {
  auto example = test::predator_prey();
  example.result.null_directions = {{{{"p2", -1}, {"x2", 1}}}};
  example.result.starts = {{.start = 0,
                            .status = Status::stalled,
                            .objective = 3.5,
                            .gap = 1e-9,
                            .iterations = 7,
                            .points = 31,
                            .seconds = 0.5,
                            .message = "out of steps",
                            .guess = {{"p1", 1}},
                            .parameters = {{"p1", 2}}}};
  example.problem.validation = {{0, 0, 11, 1, std::nullopt}};
  example.result.validation = {{0, 1.1, 0.05, -0.5, -2}};
  const Json json = fit_of(example);
  EXPECT_EQ(json["null_directions"], Json::parse(R"([{"p2":-1.0,"x2":1.0}])"));
  EXPECT_EQ(json["starts"],
            Json::parse(R"([{"start":0,"status":"stalled","objective":3.5,"gap":1e-9,"iterations":7,"points":31,
                                  "seconds":0.5,"message":"out of steps","guess":{"p1":1.0},"parameters":{"p1":2.0}}])"));
  EXPECT_EQ(json["validation"], Json::parse(R"({"measurements":1,"llh":-0.5,"chi2":4.0})"));
}

TEST(FitJson, TellsWhereConstraintsAreActive) {
  auto example = test::predator_prey();
  example.result.constraints = {{.text = "p1 == p2", .is_equality = true, .active = true, .multiplier = -2},
                                {.text = "x1 <= 2", .active = true, .multiplier = 3, .places = {{"default", 4}}},
                                {.text = "p3 <= 9"}};
  EXPECT_EQ(fit_of(example)["constraints"], Json::parse(R"([{"text":"p1 == p2","active":true,"multiplier":-2.0},
      {"text":"x1 <= 2","active":true,"multiplier":3.0,"at":[{"experiment":"default","time":4.0}]},
      {"text":"p3 <= 9","active":false,"multiplier":0.0}])"));
}

TEST(FitJson, GathersStartsByTheOptimumTheyFound) {
  auto example = test::predator_prey();
  example.result.starts = {
      {.start = 4, .status = Status::converged, .objective = 2.5, .minimum = 0, .parameters = {{"p1", 2}}},
      {.start = 0, .status = Status::converged, .objective = 2.5, .minimum = 0, .parameters = {{"p1", 2}}},
      {.start = 1, .status = Status::converged, .objective = 9, .minimum = 1, .parameters = {{"p1", 3}}},
      {.start = 2, .status = Status::stalled, .objective = 1, .parameters = {{"p1", 4}}}};
  EXPECT_EQ(fit_of(example)["optima"],
            Json::parse(R"([{"objective":2.5,"count":2,"starts":[4,0],"same_parameters":true,"parameters":{"p1":2.0}},
                            {"objective":9.0,"count":1,"starts":[1],"same_parameters":true,"parameters":{"p1":3.0}}])"));
}

TEST(FitJson, KeepsHostileNamesInsideTheirStrings) {
  auto example = test::predator_prey();
  example.problem.title = "a\",\"status\":\"x\n";
  example.result.parameters[0].id = "\xFF";
  const Json json = fit_of(example);
  EXPECT_EQ(json["title"], example.problem.title);
  EXPECT_EQ(json["parameters"][0]["id"], "\xEF\xBF\xBD");
}

fit::EvaluateResult evaluation(const test::Example& example) {
  fit::EvaluateResult result;
  result.llh = 12.5;
  result.chi2 = 3;
  result.parameters = {{"p1", model::Scale::log10, 0.5, true}};
  result.simulations = example.result.predictions;
  return result;
}

TEST(EvaluateJson, ListsSimulationsByRow) {
  const auto example = test::predator_prey();
  const Json json = Json::parse(evaluate_json(example.problem, evaluation(example)));
  EXPECT_EQ(keys_of(json), (std::vector<std::string>{"status", "unsupported", "messages", "n_measurements", "llh",
                                                     "chi2", "parameters", "simulations", "seconds"}));
  EXPECT_EQ(json["status"], "ok");
  EXPECT_EQ(json["n_measurements"], 22);
  EXPECT_EQ(json["parameters"], Json::parse(R"([{"id":"p1","scale":"log10","value":0.5,"estimated":true}])"));
  const Json& row = json["simulations"][3];
  EXPECT_EQ(keys_of(row),
            (std::vector<std::string>{"row", "observableId", "experimentId", "time", "simulation", "sigma", "llh"}));
  EXPECT_EQ(row["row"], 3);
  EXPECT_EQ(row["observableId"], "prey");
  EXPECT_EQ(row["experimentId"], "default");
  EXPECT_EQ(row["time"], 1.0);
  EXPECT_EQ(row["sigma"], 0.05);
}

TEST(EvaluateJson, TellsTheTimeOfWhatWasComputed) {
  const auto example = test::predator_prey();
  auto result = evaluation(example);
  result.seconds.values = 0.5;
  EXPECT_EQ(Json::parse(evaluate_json(example.problem, result))["seconds"], Json::parse(R"({"values":0.5})"));
  result.seconds.gradient = 1;
  result.seconds.jacobian = 2;
  EXPECT_EQ(Json::parse(evaluate_json(example.problem, result))["seconds"],
            Json::parse(R"({"values":0.5,"gradient":1.0,"jacobian":2.0})"));
}

TEST(EvaluateJson, AddsPriorsAndGradientWhereThereAreAny) {
  const auto example = test::predator_prey();
  auto result = evaluation(example);
  result.log_prior = {{"p1", -1}, {"p2", -0.5}};
  result.gradient = {{"p1", 7}};
  const Json json = Json::parse(evaluate_json(example.problem, result));
  EXPECT_EQ(json["log_prior"], Json::parse(R"({"p1":-1.0,"p2":-0.5})"));
  EXPECT_EQ(json["log_prior_sum"], -1.5);
  EXPECT_EQ(json["unnorm_log_posterior"], 11.0);
  EXPECT_EQ(json["gradient"], Json::parse(R"({"p1":7.0})"));
}

TEST(EvaluateJson, SaysWhatFailed) {
  const auto example = test::predator_prey();
  auto result = evaluation(example);
  result.ok = false;
  result.message = "a pole at time 3";
  result.llh = nan;
  const Json json = Json::parse(evaluate_json(example.problem, result));
  EXPECT_EQ(json["status"], "numerical_failure");
  EXPECT_EQ(json["messages"], Json({"a pole at time 3"}));
  EXPECT_EQ(json["llh"], "nan");
}

TEST(StudyJson, ComparesEachQuantityWithTheTruth) {
  fit::StudyResult result;
  result.replicates = 50;
  result.converged = 49;
  result.quantities = {{"p1", 1, 1.01, 0.1, 0.09, 0.94}};
  const Json json = Json::parse(study_json(result));
  EXPECT_EQ(json["replicates"], 50);
  EXPECT_EQ(json["converged"], 49);
  EXPECT_EQ(json["truth"]["p1"], 1.0);
  EXPECT_EQ(json["mean"]["p1"], 1.01);
  EXPECT_EQ(json["sd"]["p1"], 0.1);
  EXPECT_EQ(json["expected_sd"]["p1"], 0.09);
  EXPECT_EQ(json["coverage95"]["p1"], 0.94);
}

TEST(IssuesJson, GivesThePlaceWhereItIsKnown) {
  const Json json =
      Json::parse(issues_json("invalid", {{Issue::Kind::invalid, "a.yaml", 3, 7, "unknown name", "did you mean 'k'?"},
                                          {.message = "no data"}}));
  EXPECT_EQ(json["status"], "invalid");
  EXPECT_EQ(
      json["issues"][0],
      Json::parse(R"({"file":"a.yaml","line":3,"column":7,"message":"unknown name","hint":"did you mean 'k'?"})"));
  EXPECT_TRUE(json["issues"][1]["line"].is_null());
}

}  // namespace
}  // namespace salvo::report
