#include "solve/method/nodes_memory.hpp"

#include <gtest/gtest.h>

#include "rate_chain.hpp"
#include "solve/method/gauss_newton.hpp"

namespace salvo::solve {
namespace {

using test::RateChain;

// Longer and shorter chains in turn: whatever a run leaves in the memory, the next one is the same to the bit.
TEST(NodesMemory, ChangesNoRun) {
  NodesMemories memories;
  for (const int nodes : {6, 3, 5, 6}) {
    std::vector<double> data{2.1, 1.4, 0.7, 0.55, 0.2, 0.25};
    data.resize(nodes);
    const RateChain problem(1, data);
    const SolveResult alone = gauss_newton(problem, problem.on_data({0.5}), {}, {});
    SolveResult lent = gauss_newton(problem, problem.on_data({0.5}), {.memories = &memories}, {});
    EXPECT_EQ(lent.q, alone.q);
    EXPECT_EQ(lent.objective, alone.objective);
    EXPECT_EQ(lent.iterations, alone.iterations);
    ASSERT_EQ(lent.linearized.chains.size(), alone.linearized.chains.size());
    (*memories.borrow()).take(std::move(lent.linearized));
    EXPECT_FALSE((*memories.borrow()).blocks.chains.empty());
  }
}

}  // namespace
}  // namespace salvo::solve
