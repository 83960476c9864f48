#include "fit/part_of_fit.hpp"

#include <memory>
#include <utility>

#include "compile/compiled_model.hpp"
#include "shooting/part_server.hpp"

namespace salvo::fit {

AnswerForPart part_of_fit(const model::Problem& problem, const Options& options, const RunContext& context) {
  auto compiled = compile::compile(problem, context.stop);
  if (!compiled) return [](const std::string&, int, int) { return std::string{}; };  // it was told to stop
  auto server = std::make_shared<shooting::PartServer>(
      problem, std::move(compiled),
      shooting::EngineOptions{.threads = options.threads, .memory = options.memory.value_or(0), .stop = context.stop},
      options.rules.shooting);
  return [server](const std::string& question, int part, int parts) { return server->answer(question, {part, parts}); };
}

}  // namespace salvo::fit
