#include "shooting/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/words.hpp"
#include "shooting/cost.hpp"
#include "shooting/pass.hpp"

namespace salvo::shooting {

std::shared_ptr<Buffers> make_buffers() { return std::make_shared<Buffers>(); }

Engine::Engine(std::shared_ptr<const compile::CompiledModel> model, EngineOptions options, const Rules& rules)
    : model_(std::move(model)),
      options_(std::move(options)),
      rules_(rules),
      operations_of_a_stage_(model_->rhs.instruction_count() + std::lround(rules.stage_overhead)) {
  if (!options_.buffers) options_.buffers = make_buffers();
}

void Engine::count(const WorkCount& work) {
  trajectories_.fetch_add(work.trajectories, std::memory_order_relaxed);
  tangents_.fetch_add(work.tangents, std::memory_order_relaxed);
  adjoints_.fetch_add(work.adjoints, std::memory_order_relaxed);
  rhs_.fetch_add(work.rhs, std::memory_order_relaxed);
  if (options_.ledger != nullptr) options_.ledger->charge(work.rhs * operations_of_a_stage_);
}

WorkCount Engine::work() const {
  return {trajectories_.load(std::memory_order_relaxed), tangents_.load(std::memory_order_relaxed),
          adjoints_.load(std::memory_order_relaxed), rhs_.load(std::memory_order_relaxed)};
}

void Engine::stand_at(const WorkCount& work, bool interpreted, bool has_interpreted) {
  trajectories_ = work.trajectories;
  tangents_ = work.tangents;
  adjoints_ = work.adjoints;
  rhs_ = work.rhs;
  const std::lock_guard lock(guard_);
  interprets_ = interpreted;
  has_interpreted_ = has_interpreted;
}

int Engine::code_changes() const {
  const std::lock_guard lock(guard_);
  return code_changes_;
}

bool Engine::has_interpreted() const {
  const std::lock_guard lock(guard_);
  return has_interpreted_;
}

int Engine::replaced_codes() const {
  const std::lock_guard lock(guard_);
  return replaced_codes_;
}

bool Engine::is_machine_code_wanted(const compile::Wanted& wanted, std::size_t intervals) const {
  if (options_.code != Code::automatic) return options_.code == Code::native;
  return is_machine_code_worthwhile({*model_, wanted, work(), intervals, options_.expected_reuse}, rules_);
}

const compile::CompiledModel& Engine::model_for(const compile::Wanted& wanted, bool with_derivatives,
                                                std::size_t intervals) {
  const std::lock_guard lock(guard_);
  if (interprets_) {
    has_interpreted_ = true;
    return *model_;
  }
  auto found = native_.find(wanted);
  if (found == native_.end() && !with_derivatives)  // any of this kind will do
    found = std::find_if(native_.begin(), native_.end(), [&](const auto& made) {
      return made.first.stiff == wanted.stiff && made.first.lanes == wanted.lanes;
    });
  if (found == native_.end() && model_->accelerator && is_machine_code_wanted(wanted, intervals)) {
    const compile::Accelerated made = model_->accelerator->accelerated(*model_, wanted, options_.stop);
    if (!made.model && is_stopped()) return *model_;
    found = native_.emplace(wanted, made.model).first;
    ++code_changes_;
    if (has_interpreted_) ++replaced_codes_;
    code_in_words_ = made.model ? fmt::format("machine code for {} after {} evaluations of the equations",
                                              counted(wanted.lanes, "lane"), work().rhs)
                                : "no machine code: " + made.trouble;
  }
  if (found != native_.end() && found->second) return *found->second;
  has_interpreted_ = true;
  return *model_;
}

std::optional<compile::Wanted> Engine::code_of(const compile::CompiledModel& model) const {
  const std::lock_guard lock(guard_);
  for (const auto& [wanted, made] : native_)
    if (made.get() == &model) return wanted;
  return std::nullopt;
}

std::string Engine::code_in_words() const {
  const std::lock_guard lock(guard_);
  return code_in_words_;
}

std::shared_ptr<const Packing> Engine::packing(std::size_t trajectories) const {
  const std::lock_guard lock(guard_);
  return packing_ && packing_->size() == trajectories ? packing_ : nullptr;
}

// Packs are made anew where lanes stand idle for longer than the longest trajectory flies.
void Engine::learn_packing(const std::vector<int>& steps, int lanes) {
  const auto used = packing(steps.size());
  const long taken = steps_of_packs(steps, used ? *used : Packing{}, lanes);
  const long idle = taken * lanes - std::accumulate(steps.begin(), steps.end(), 0L);
  if (idle <= *std::max_element(steps.begin(), steps.end())) return;
  Packing better = pack_by_steps(steps);
  if (steps_of_packs(steps, better, lanes) >= taken) return;
  const std::lock_guard lock(guard_);
  packing_ = std::make_shared<const Packing>(std::move(better));
}

void Engine::forget_steady_states() { (*buffers().rooms.borrow()).experiment.rests = {}; }

}  // namespace salvo::shooting
