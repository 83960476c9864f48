#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>

#include "shooting/shared_pass.hpp"
#include "shooting/shooting_problem.hpp"

namespace salvo::shooting {

// Computes parts of evaluations that another process asks for: what `Helpers` pass on there is answered here, of the
// same problem.
class PartServer {
 public:
  // The problem must outlive it.
  PartServer(const model::Problem& problem, std::shared_ptr<const compile::CompiledModel> model, EngineOptions options,
             const Rules& rules = {});

  // Part `part` of `parts`; the first is of the process that asks. Empty: it cannot be computed here.
  std::string answer(const std::string& question, const PassPart& part);

 private:
  const ShootingProblem& laid_as(const PassAsked& asked);
  std::shared_ptr<const Subject> subject(bool constrains_nodes);

  // A solver goes back and forth between a few ways to lay the problem.
  struct Laid {
    PassAsked as{};  // without what is evaluated
    std::unique_ptr<ShootingProblem> problem{};
  };
  const model::Problem& problem_;
  Rules rules_;
  std::shared_ptr<Engine> engine_;
  std::map<bool, std::shared_ptr<const Subject>> subjects_{};  // by whether nodes are constrained
  std::deque<Laid> laid_{};                                    // the latest first
};

}  // namespace salvo::shooting
