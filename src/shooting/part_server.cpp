#include "shooting/part_server.hpp"

#include <utility>

namespace salvo::shooting {
namespace {

constexpr std::size_t most_laid = 4;

PassAsked laying_of(const PassAsked& asked) {
  return {.experiments = asked.experiments,
          .nodes = asked.nodes,
          .constrains_nodes = asked.constrains_nodes,
          .lanes = asked.lanes,
          .derivatives = asked.derivatives};
}

bool is_laid_alike(const PassAsked& a, const PassAsked& b) {
  return a.lanes == b.lanes && a.derivatives == b.derivatives && a.constrains_nodes == b.constrains_nodes &&
         a.experiments == b.experiments && a.nodes == b.nodes;
}

}  // namespace

PartServer::PartServer(const model::Problem& problem, std::shared_ptr<const compile::CompiledModel> model,
                       EngineOptions options, const Rules& rules)
    : problem_(problem),
      rules_(rules),
      engine_(std::make_shared<Engine>(std::move(model), std::move(options), rules)) {}

std::shared_ptr<const Subject> PartServer::subject(bool constrains_nodes) {
  std::shared_ptr<const Subject>& known = subjects_[constrains_nodes];
  if (!known) known = std::make_shared<const Subject>(problem_, engine_->model(), rules_, constrains_nodes);
  return known;
}

const ShootingProblem& PartServer::laid_as(const PassAsked& asked) {
  for (auto laid = laid_.begin(); laid != laid_.end(); ++laid) {
    if (!is_laid_alike(laid->as, asked)) continue;
    Laid found = std::move(*laid);
    laid_.erase(laid);
    laid_.push_front(std::move(found));
    return *laid_.front().problem;
  }
  ShootingOptions options{.derivatives = asked.derivatives, .lanes = asked.lanes, .rules = rules_};
  laid_.push_front({laying_of(asked), std::make_unique<ShootingProblem>(subject(asked.constrains_nodes), engine_,
                                                                        asked.grids(), std::move(options))});
  if (laid_.size() > most_laid) laid_.pop_back();
  return *laid_.front().problem;
}

std::string PartServer::answer(const std::string& question, const PassPart& part) {
  const auto asked = PassAsked::from(question);
  return asked ? laid_as(*asked).answer(*asked, part) : std::string{};
}

}  // namespace salvo::shooting
