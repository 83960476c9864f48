#include "fit/kept_run.hpp"

#include <utility>

#include "base/exact_text.hpp"

namespace salvo::fit {
namespace {

struct RunState {
  std::vector<std::string> finished{};
  std::string under_way{};
};

}  // namespace
}  // namespace salvo::fit

template <>
struct salvo::Parts<salvo::fit::RunState> {
  static auto of(auto& state) { return std::tie(state.finished, state.under_way); }
};

namespace salvo::fit {

KeptRun::KeptRun(StateKeeper& keeper) : keeper_(keeper) {
  const std::optional<std::string> text = keeper.kept();
  std::optional<RunState> state = text ? read_exact_words<RunState>(*text) : std::nullopt;
  if (!state) return;
  finished_ = std::move(state->finished);
  under_way_ = std::move(state->under_way);
}

std::optional<estimate::KeptEstimation> KeptRun::estimation(int n) const {
  if (n >= static_cast<int>(finished_.size())) return std::nullopt;
  return read_exact_words<estimate::KeptEstimation>(finished_[static_cast<std::size_t>(n)]);
}

void KeptRun::begin(int n) {
  if (n != static_cast<int>(finished_.size())) under_way_.clear();
  current_ = n;
}

void KeptRun::finish(int n, const estimate::KeptEstimation& estimation) {
  finished_.resize(static_cast<std::size_t>(n));
  finished_.push_back(exact_words(estimation));
  under_way_.clear();
  if (keeper_.is_due()) write({});
}

void KeptRun::keep(const std::string& state) { write(state); }

std::optional<std::string> KeptRun::kept() {
  return under_way_.empty() ? std::nullopt : std::optional(std::exchange(under_way_, {}));
}

void KeptRun::write(const std::string& under_way) { keeper_.keep(exact_words(RunState{finished_, under_way})); }

}  // namespace salvo::fit
