#include "fit/part_of_fit.hpp"

#include <gtest/gtest.h>

#include "base/stop_flag.hpp"
#include "helpers/problems.hpp"

namespace salvo::fit {
namespace {

// One other process, as it would be elsewhere.
class OneHelper final : public Helpers {
 public:
  explicit OneHelper(AnswerForPart answer) : answer_(std::move(answer)) {}
  int count() const override { return 1; }
  double worth_a_message() const override { return 0; }
  std::optional<std::vector<std::string>> ask(const std::string& question, const std::function<void()>& own,
                                              const StopFlag*) override {
    ++questions;
    own();
    return std::vector<std::string>{answer_(question, 1, 2)};
  }
  int questions = 0;

 private:
  AnswerForPart answer_;
};

// Whatever is asked on the way to an answer, and of what was found, another process may compute a part of it.
TEST(PartOfFit, LeadsToTheBitsOfOneProcess) {
  const model::Problem problem = test::predator_prey();
  for (const Options& options :
       {Options{}, Options{.method = model::Method::scalar}, Options{.method = model::Method::lagrangian},
        Options{.nodes = model::SingleInterval{}, .guess = {{"p1", 1.1}, {"p2", 1}, {"p3", 1}, {"p4", 1}}},
        Options{.integrator = model::Rodas5p{}}, Options{.intervals = estimate::Intervals::profile}}) {
    const FitResult alone = fit(problem, options, {});
    ASSERT_EQ(alone.status, Status::converged) << alone.message;
    const model::Problem the_same = problem;
    OneHelper helper(part_of_fit(the_same, options, {}));
    const FitResult shared = fit(problem, options, {.helpers = &helper});
    EXPECT_GT(helper.questions, 5);
    EXPECT_EQ(shared.objective, alone.objective);
    EXPECT_EQ(shared.message, alone.message);
    EXPECT_EQ(shared.iterations, alone.iterations);
    ASSERT_EQ(shared.parameters.size(), alone.parameters.size());
    for (std::size_t k = 0; k < alone.parameters.size(); ++k) {
      EXPECT_EQ(shared.parameters[k].estimate, alone.parameters[k].estimate);
      EXPECT_EQ(shared.parameters[k].standard_error, alone.parameters[k].standard_error);
    }
  }
}

TEST(PartOfFit, OfWhomWasToldToStopIsNothing) {
  const model::Problem problem = test::predator_prey();
  StopFlag stop;
  stop.raise();
  EXPECT_EQ(part_of_fit(problem, {}, {.stop = &stop})("", 1, 2), "");
}

}  // namespace
}  // namespace salvo::fit
