#include "estimate/workspace.hpp"

#include <algorithm>

#include "estimate/quantities.hpp"
#include "model/algebraic.hpp"

namespace salvo::estimate {
namespace {

// Long data make every evaluation long: an account pays for so many of them in any case.
double account_of(const model::Problem& problem, const compile::CompiledModel& model, const Options& options) {
  const AccountRules& rules = options.rules.account;
  const shooting::Rules& costs = options.rules.shooting;
  const double of_a_stage = model.rhs.instruction_count() + costs.stage_overhead;
  const double of_all_data = static_cast<double>(problem.measurements.size()) * costs.usual_stages * of_a_stage;
  const bool is_drawn = options.is_one_of_many && options.guess_from == GuessFrom::draw && !options.guess.empty();
  const double operations = rules.operations * (is_drawn ? rules.drawn : 1);
  return options.effort * std::max(operations, rules.evaluations * of_all_data);
}

}  // namespace

Workspace::Workspace(const model::Problem& problem, const Options& options,
                     std::shared_ptr<const compile::CompiledModel> compiled, Memory memory, const StopFlag* stop,
                     Helpers* helpers)
    : given_(&problem), options_(options), compiled_(std::move(compiled)), memories_(std::move(memory.of_solver)) {
  if (!memories_) memories_ = std::make_shared<solve::NodesMemories>();
  if (!options.guess.empty()) {
    auto guessed = std::make_unique<model::Problem>(problem);
    set_guesses(*guessed, options.guess);
    guessed_ = std::move(guessed);
  }
  problem_ = guessed_ ? guessed_.get() : &problem;
  if (!compiled_) compiled_ = compile::compile(*problem_);
  ledger_ = std::make_shared<Ledger>(account_of(*problem_, *compiled_, options));
  start_engine(std::move(memory.buffers), stop, {helpers, problem_});
}

Workspace::Workspace(const Workspace& of, std::shared_ptr<const compile::CompiledModel> compiled)
    : problem_(of.problem_),
      given_(of.given_),
      options_(of.options_),
      compiled_(std::move(compiled)),
      ledger_(of.ledger_),
      memories_(std::make_shared<solve::NodesMemories>()) {
  start_engine(nullptr, of.stop(), {});  // who helps knows the problem as it is written, and not these curves
}

void Workspace::start_engine(std::shared_ptr<shooting::Buffers> buffers, const StopFlag* stop,
                             shooting::SharedEvaluations shared) {
  shooting_options_ = {.integrator = model::integrator_for(*problem_, options_.integrator),
                       .derivatives = options_.derivatives.value_or(model::Derivatives::automatic),
                       .rules = options_.rules.shooting};
  engine_ = std::make_shared<shooting::Engine>(compiled_,
                                               shooting::EngineOptions{.threads = options_.threads,
                                                                       .memory = options_.memory.value_or(0),
                                                                       .expected_reuse = options_.expected_reuse,
                                                                       .buffers = std::move(buffers),
                                                                       .stop = stop,
                                                                       .ledger = ledger_.get(),
                                                                       .shared = shared},
                                               options_.rules.shooting);
}

std::unique_ptr<Workspace> Workspace::with_known_past(std::span<const compile::KnownPast> past) const {
  return std::unique_ptr<Workspace>(new Workspace(*this, compile::compile(*problem_, nullptr, past)));
}

Workspace::Accounts Workspace::accounts() const {
  return {static_cast<long>(ledger_->spent()), work(), code_changes() == 0, engine_->has_interpreted()};
}

void Workspace::stand_at(const Accounts& accounts, bool holds_code) const {
  ledger_->stand_at(accounts.spent);
  engine_->stand_at(accounts.work, holds_code && accounts.is_interpreted, accounts.has_interpreted);
}

std::unique_ptr<shooting::ShootingProblem> Workspace::on(std::vector<shooting::Grid> grids) const {
  return std::make_unique<shooting::ShootingProblem>(*problem_, engine_, std::move(grids), shooting_options_);
}

std::unique_ptr<shooting::ShootingProblem> Workspace::unbroken() const {
  return on(shooting::make_grids(*problem_, model::SingleInterval{}));
}

}  // namespace salvo::estimate
