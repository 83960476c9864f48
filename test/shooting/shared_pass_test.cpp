#include "shooting/shared_pass.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "base/stop_flag.hpp"
#include "compile/accelerate.hpp"
#include "helpers/samples.hpp"
#include "shooting/part_server.hpp"

namespace salvo::shooting {
namespace {

// Processes as they would be elsewhere: each has compiled the problem itself and knows nothing but the bytes it is
// sent.
class HelpersHere final : public Helpers {
 public:
  HelpersHere(const model::Problem& problem, int count, int threads = 1) {
    for (int n = 0; n < count; ++n)
      servers_.push_back(
          std::make_unique<PartServer>(problem, compile::compile(problem), EngineOptions{.threads = threads}));
  }
  int count() const override { return static_cast<int>(servers_.size()); }
  double worth_a_message() const override { return is_far ? Helpers::worth_a_message() : 0; }
  std::optional<std::vector<std::string>> ask(const std::string& question, const std::function<void()>& own,
                                              const StopFlag*) override {
    ++questions;
    own();
    if (is_busy) return std::nullopt;
    std::vector<std::string> answers;
    for (int n = 0; n < count(); ++n)
      answers.push_back(n < silent ? std::string{} : servers_[n]->answer(question, {n + 1, count() + 1}));
    return answers;
  }

  bool is_busy = false;
  bool is_far = false;  // messages take as long as usual
  int silent = 0;       // of the first ones
  int questions = 0;

 private:
  std::vector<std::unique_ptr<PartServer>> servers_{};
};

void add(std::vector<double>& out, const std::vector<double>& more) { out.insert(out.end(), more.begin(), more.end()); }

void append(std::vector<double>& out, const nlp::Blocks& blocks) {
  add(out, {blocks.objective, blocks.gap, blocks.local_gap, blocks.violation});
  for (const nlp::ChainBlocks& chain : blocks.chains) {
    for (const nlp::Rows& rows : chain.rows) {
      add(out, rows.r);
      add(out, rows.by_block.data);
      add(out, rows.by_theta.data);
    }
    for (const nlp::Link& link : chain.links) {
      add(out, link.gap);
      add(out, link.by_block.data);
      add(out, link.by_theta.data);
    }
  }
  add(out, blocks.priors.r);
}

void append(std::vector<double>& out, const nlp::Gradients& gradients) {
  add(out, {gradients.objective, gradients.gap});
  add(out, gradients.objective_by_q);
  for (const auto& chain : gradients.links)
    for (const nlp::Gradients::LinkGradient& link : chain) {
      add(out, link.gap);
      add(out, link.by_block);
      add(out, link.by_theta);
    }
}

nlp::GapWeights weights_of(const nlp::Layout& layout, int states) {
  nlp::GapWeights weights{.penalty = 0.3};
  for (const nlp::Layout::Chain& chain : layout.chains)
    weights.multipliers.push_back(std::vector<double>(static_cast<std::size_t>(chain.links()) * states, 0.7));
  return weights;
}

// All that evaluations of a problem give, in the order in which a solver may ask for it, and their work.
std::vector<double> everything(const ShootingProblem& problem, const nlp::Request& request = {}) {
  std::vector<double> out;
  for (const std::uint64_t seed : {5, 77}) {
    const nlp::Point q = test::generic_point(problem.layout(), seed);
    nlp::Blocks blocks;
    nlp::Gradients gradients;
    std::vector<ShootingProblem::Predicted> predicted;
    EXPECT_TRUE(problem.values(q, request, blocks, predicted).ok);
    append(out, blocks);
    for (const auto& [simulation, sigma] : predicted) add(out, {simulation, sigma});
    EXPECT_TRUE(problem.linearize(q, request, blocks).ok);
    append(out, blocks);
    EXPECT_TRUE(problem.adjoint(q, request, weights_of(problem.layout(), problem.model().states), gradients).ok);
    append(out, gradients);
    std::unique_ptr<nlp::Products> products;
    EXPECT_TRUE(problem.linearize_nodes(q, request, blocks, products).ok);
    append(out, blocks);
  }
  const WorkCount work = problem.work();
  add(out, {static_cast<double>(work.trajectories), static_cast<double>(work.tangents),
            static_cast<double>(work.adjoints), static_cast<double>(work.rhs)});
  return out;
}

std::unique_ptr<ShootingProblem> lay_out_shared(const test::Sample& sample, Helpers& helpers, ShootingOptions options) {
  options.engine.shared = {&helpers, &sample.problem};
  return test::lay_out(sample, std::move(options));
}

TEST(SharedPass, HasTheBitsOfOneProcess) {
  for (const test::Sample& sample : test::samples())
    for (const model::Derivatives derivatives : {model::Derivatives::tangent, model::Derivatives::adjoint})
      for (const int lanes : {1, 4}) {
        SCOPED_TRACE(sample.name);
        const ShootingOptions options{.derivatives = derivatives, .lanes = lanes};
        const std::vector<double> alone = everything(*test::lay_out(sample, options));
        for (const int count : {1, 2, 6}) {
          HelpersHere helpers(sample.problem, count, count);
          EXPECT_EQ(everything(*lay_out_shared(sample, helpers, options)), alone) << count << " helpers";
          EXPECT_GE(helpers.questions, 6);
        }
      }
}

TEST(SharedPass, HasTheBitsOfOneProcessForStiffEquations) {
  const test::Sample sample{"", test::rich_problem(), model::IntervalCount{2}};
  const std::vector<double> alone = everything(*test::lay_out(sample, {}), {.stiff = true});
  HelpersHere helpers(sample.problem, 2);
  EXPECT_EQ(everything(*lay_out_shared(sample, helpers, {}), {.stiff = true}), alone);
}

TEST(SharedPass, HasTheBitsOfMachineCode) {
  if (const std::string trouble = compile::translate({}).trouble; !trouble.empty()) GTEST_SKIP() << trouble;
  for (const test::Sample& sample : test::samples()) {
    SCOPED_TRACE(sample.name);
    const ShootingOptions options{.engine = {.code = Code::native}};
    const std::vector<double> alone = everything(*test::lay_out(sample, options));
    HelpersHere helpers(sample.problem, 2);
    const auto shared = lay_out_shared(sample, helpers, options);
    EXPECT_EQ(everything(*shared), alone);
    EXPECT_GE(shared->engine()->code_changes(), 1);
  }
}

// Packs by the steps that trajectories took lately are made where the evaluation is summed up, and told to the others.
TEST(SharedPass, FliesInThePacksOfWhoAsks) {
  test::Builder builder(test::Equations{{"x", "k*(y - x)"}, {"y", "-k*x*y"}});
  builder.parameter("k", test::estimated(0.7)).observable("seen", "x", "0.1");
  for (int e = 0; e < 9; ++e) {
    builder.experiment("e" + std::to_string(e), {std::string("0"), std::to_string(1 + e)});
    for (int n = 1; n <= 3; ++n) builder.measure(e, 0, n * (e % 2 == 0 ? 0.1 : 20.0), 0.5);
  }
  const test::Sample sample{"", builder.build(), model::SingleInterval{}};
  const std::vector<double> alone = everything(*test::lay_out(sample, {}));
  HelpersHere helpers(sample.problem, 1);
  const auto shared = lay_out_shared(sample, helpers, {});
  EXPECT_EQ(everything(*shared), alone);
  EXPECT_NE(shared->engine()->packing(9), nullptr);
}

TEST(SharedPass, IsFinishedHereWhereOthersCannotHelp) {
  const test::Sample sample{"", test::rich_problem(), model::NodesAtMeasurements{}};
  const std::vector<double> alone = everything(*test::lay_out(sample, {}));
  HelpersHere helpers(sample.problem, 3);
  helpers.silent = 2;
  EXPECT_EQ(everything(*lay_out_shared(sample, helpers, {})), alone);
  helpers.is_busy = true;
  EXPECT_EQ(everything(*lay_out_shared(sample, helpers, {})), alone);
}

TEST(SharedPass, TellsTheTroubleOfOneProcess) {
  test::Builder builder(test::Equations{{"x", "k*x^2"}});  // infinite at t = 1/(k x)
  builder.parameter("k", test::estimated(0.7)).observable("seen", "x", "0.1");
  for (int e = 0; e < 9; ++e)
    builder.experiment("e" + std::to_string(e), {std::to_string(0.05 + 0.1 * e)}).measure(e, 0, 2, 0.5);
  const test::Sample sample{"", builder.build(), model::SingleInterval{}};
  HelpersHere helpers(sample.problem, 2);
  nlp::Blocks blocks;
  const nlp::Evaluation alone = test::lay_out(sample, {})->linearize({1}, blocks);
  const nlp::Evaluation shared = lay_out_shared(sample, helpers, {})->linearize({1}, blocks);
  EXPECT_FALSE(alone.ok);
  EXPECT_EQ(shared.ok, alone.ok);
  EXPECT_EQ(shared.trouble, alone.trouble);
  EXPECT_EQ(shared.chain, alone.chain);
  EXPECT_EQ(shared.link, alone.link);
}

TEST(SharedPass, IsWorthItForLongEvaluationsOfTheProblemThatOthersKnow) {
  const test::Sample sample{"", test::predator_prey(), model::NodesAtMeasurements{}};
  HelpersHere helpers(sample.problem, 1);
  helpers.is_far = true;
  ShootingOptions options{.engine = {.shared = {&helpers, &sample.problem}}};
  everything(*test::lay_out(sample, options));
  EXPECT_EQ(helpers.questions, 0) << "ten short intervals are not worth a message";
  const test::Sample other{"", sample.problem, sample.nodes};
  helpers.is_far = false;
  everything(*test::lay_out(other, options));
  EXPECT_EQ(helpers.questions, 0) << "that is another problem";
}

TEST(SharedPass, IsNothingThatAnyBytesMean) {
  const test::Sample sample{"", test::predator_prey(), model::NodesAtMeasurements{}};
  PartServer server(sample.problem, compile::compile(sample.problem), {});
  EXPECT_EQ(server.answer("", {1, 2}), "");
  EXPECT_EQ(server.answer(std::string(300, '\1'), {1, 2}), "");
  EXPECT_FALSE(PassAsked::from(PassAsked{}.bytes() + "x"));
  EXPECT_TRUE(PassAsked::from(PassAsked{}.bytes()));
}

TEST(PassPart, PartsAreEveryPackOnce) {
  for (int packs = 0; packs < 12; ++packs)
    for (int parts = 1; parts < 6; ++parts) {
      std::vector<int> seen(packs, 0);
      for (int first = 0; first < parts; ++first)
        for (int n = 0; n < PassPart{first, parts}.count_among(packs); ++n) ++seen.at(PassPart{first, parts}.pack(n));
      EXPECT_EQ(seen, std::vector<int>(packs, 1));
    }
}

}  // namespace
}  // namespace salvo::shooting
