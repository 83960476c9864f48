#include "fit/kept_run.hpp"

#include <atomic>

#include "base/tasks/board.hpp"
#include "base/tasks/state_keeper.hpp"
#include "estimate/kept.hpp"
#include "fits.hpp"
#include "formats/folder.hpp"
#include "formats/problem/read.hpp"
#include "report/json.hpp"

// A fit that is cut off at any moment goes on from what was kept of it, to the bytes of one that was never cut off.
namespace salvo::fit {
namespace {

// Keeps every state that is offered, and hands out one of them.
class EveryState final : public StateKeeper {
 public:
  explicit EveryState(std::optional<std::string> first = {}) : first_(std::move(first)) {}
  bool is_due() override { return true; }
  void keep(const std::string& state) override { states.push_back(state); }
  std::optional<std::string> kept() override { return first_; }

  std::vector<std::string> states{};

 private:
  std::optional<std::string> first_;
};

std::string fit_json_of(const model::Problem& problem, const Options& options, StateKeeper* keeper) {
  FitResult result = fit(problem, options, {.keeper = keeper});
  result.work.seconds = 0;
  return report::fit_json(problem, result);
}

void expect_same_from_every_state(const model::Problem& problem, const Options& options = {}, std::size_t most = 40) {
  const std::string alone = fit_json_of(problem, options, nullptr);
  EveryState all;
  EXPECT_EQ(fit_json_of(problem, options, &all), alone) << "to be kept changes nothing";
  ASSERT_GE(all.states.size(), 3U);
  const std::size_t step = all.states.size() / most + 1;
  for (std::size_t n = 0; n < all.states.size(); n += step) {
    EveryState from(all.states[n]);
    ASSERT_EQ(fit_json_of(problem, options, &from), alone) << n << " of " << all.states.size();
    EXPECT_LE(from.states.size(), all.states.size() - n) << "what was done is not done again";
  }
  EveryState last(all.states.back());
  EXPECT_EQ(fit_json_of(problem, options, &last), alone);
}

model::Problem from_text(const std::string& yaml, const std::string& csv) {
  const formats::Folder folder({{"problem.yaml", yaml}, {"data.csv", csv}});
  return *formats::read_problem(folder / "problem.yaml");
}

model::Problem decay_of_data() {
  return from_text(
      "equations: {x: -k*x}\ninitial: {x: {guess: 1}}\nparameters: {k: {guess: 1, bounds: [0.01, 10]}}\n"
      "observables: {seen: {formula: x, noise: 0.05}}\ndata: data.csv\n",
      "time,seen\n0.5,0.82\n1,0.58\n2,0.38\n3,0.24\n4,0.11\n");
}

TEST(AFitThatWasCutOff, GoesOnOnNodes) { expect_same_from_every_state(test::predator_prey()); }

TEST(AFitThatWasCutOff, GoesOnOnNodesThatStay) {
  expect_same_from_every_state(test::predator_prey(), {.nodes = model::NodesAtMeasurements{}});
}

TEST(AFitThatWasCutOff, GoesOnAlongOneTrajectory) {
  expect_same_from_every_state(test::predator_prey(), {.guess = {{"p4", 0.8}}});
}

TEST(AFitThatWasCutOff, GoesOnByOtherMethods) {
  expect_same_from_every_state(test::predator_prey(), {.method = model::Method::lagrangian});
  expect_same_from_every_state(decay_of_data(), {.method = model::Method::scalar}, 10);
}

// Several ways, one of which draws random numbers, after a hidden state left doubt.
TEST(AFitThatWasCutOff, GoesOnBetweenItsWays) {
  expect_same_from_every_state(
      from_text("equations: {x: -k*x + a*y*exp(-x), y: k*x - m*y}\ninitial: {x: {guess: 1}, y: {guess: 0.1}}\n"
                "parameters: {k: {guess: 5, bounds: [0.01, 10], scale: log10}, m: {guess: 0.02, bounds: [0.01, 10], "
                "scale: log10}, a: {guess: 3, bounds: [0.001, 10], scale: log10}}\n"
                "observables: {seen: {formula: y}}\ndata: data.csv\n",
                "time,seen\n0.5,0.33\n1,0.42\n2,0.41\n3,0.34\n5,0.2\n8,0.08\n10,0.05\n"),
      {}, 12);
}

// What cannot be gone on with in the middle is begun again at the last place that can.
TEST(AFitThatWasCutOff, BeginsAWayAgainWhoseLawHasACorner) {
  model::Problem robust = decay_of_data();
  robust.observables[0].distribution = model::Distribution::laplace;
  const std::string alone = fit_json_of(robust, {}, nullptr);
  EveryState all;
  EXPECT_EQ(fit_json_of(robust, {}, &all), alone);
  for (const std::string& state : all.states) {
    EveryState from(state);
    EXPECT_EQ(fit_json_of(robust, {}, &from), alone);
  }
}

// What it has reached when it is told to stop is kept, however it stands in the middle of an evaluation then, and
// nothing that was given up for that.
void expect_same_after_a_wish_to_stop(const model::Problem& problem, const Options& options) {
  const std::string alone = fit_json_of(problem, options, nullptr);
  int kept = 0;
  for (int looks = 1; looks < 60; looks += looks / 4 + 1) {
    EveryState all;
    std::atomic<int> asked{0};
    fit(problem, options, {.interrupted = [&] { return ++asked > looks; }, .keeper = &all});
    if (all.states.empty()) continue;
    ++kept;
    EveryState from(all.states.back());
    ASSERT_EQ(fit_json_of(problem, options, &from), alone) << "told after " << looks << " looks";
  }
  EXPECT_GE(kept, 5);
}

TEST(AFitThatWasCutOff, GoesOnFromWhereItWasToldToStop) {
  expect_same_after_a_wish_to_stop(test::predator_prey(), {});
  expect_same_after_a_wish_to_stop(test::predator_prey(), {.guess = {{"p4", 0.8}}});
}

// It is kept although no state was due.
TEST(AFitThatWasCutOff, IsKeptWhereItIsToldToStop) {
  class OnlyAtTheEnd final : public StateKeeper {
   public:
    bool is_due() override { return false; }
    void keep(const std::string& state) override { states.push_back(state); }
    std::optional<std::string> kept() override { return std::nullopt; }
    std::vector<std::string> states{};
  } keeper;
  const std::string alone = fit_json_of(test::predator_prey(), {}, nullptr);
  bool is_over = false;
  RunContext context{.listener = [&](const Event& event) { is_over |= std::holds_alternative<IterationDone>(event); },
                     .interrupted = [&] { return is_over; },
                     .keeper = &keeper};
  fit(test::predator_prey(), {}, context);
  ASSERT_EQ(keeper.states.size(), 1U);
  EveryState from(keeper.states[0]);
  EXPECT_EQ(fit_json_of(test::predator_prey(), {}, &from), alone);
}

TEST(AFitThatWasCutOff, BeginsWhereTheStateIsOfSomethingElse) {
  const std::string alone = fit_json_of(decay_of_data(), {}, nullptr);
  EveryState all;
  fit_json_of(test::predator_prey(), {}, &all);
  for (const std::string& text : {std::string("nothing"), std::string(), all.states.front().substr(0, 50)}) {
    EveryState from(text);
    EXPECT_EQ(fit_json_of(decay_of_data(), {}, &from), alone);
  }
}

}  // namespace
}  // namespace salvo::fit
