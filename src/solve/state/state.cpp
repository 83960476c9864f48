#include "solve/state/state.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <type_traits>

#include "base/sha256.hpp"

namespace salvo::solve {
namespace {

constexpr std::string_view title = "salvo state 1\n";

// A state as numbers with names, in one order: what is listed here is written, and read again.
template <class Self, class Visit>
void each_member(Self& state, Visit&& visit) {
  visit("phase", state.phase);
  visit("point", state.point);
  visit("request", state.request);
  visit("linearised_at", state.linearised.at);
  visit("linearised_by", state.linearised.request);
  visit("objective", state.objective);
  visit("gap", state.gap);
  visit("violation", state.violation);
  visit("promised", state.promised);
  visit("length", state.length);
  visit("length_before", state.length_before);
  visit("multiplier", state.multiplier);
  visit("took_full_step", state.took_full_step);
  visit("is_searching", state.is_searching);
  visit("is_rough", state.is_rough);
  visit("fraction", state.fraction);
  visit("damping_joined", state.damping_joined);
  visit("damping", state.damping);
  visit("penalty", state.penalty);
  visit("least_promised", state.least_promised);
  visit("gap_at_update", state.gap_at_update);
  visit("multipliers", state.multipliers);
  visit("pending", state.pending);
  visit("constraint_multipliers", state.constraint_multipliers);
  visit("passed", state.passed);
  visit("radius", state.radius);
  visit("units", state.units);
  visit("secant", state.secant);
  visit("is_hessian_tried", state.is_hessian_tried);
  visit("was_good", state.was_good);
  visit("hessian_asked_at", state.hessian_asked_at);
  visit("gap_penalties", state.gap_penalties);
  visit("curvature", state.curvature);
  visit("is_curvature_fresh", state.is_curvature_fresh);
}
template <class Self, class Visit>
void each_counter(Self& counters, Visit&& visit) {
  visit("iterations", counters.iterations);
  visit("trials", counters.trials);
  visit("attempts", counters.attempts);
  visit("idle", counters.idle);
  visit("torn_ends", counters.torn_ends);
  visit("contradictions", counters.contradictions);
  visit("frozen_phases", counters.frozen_phases);
  visit("unresolved", counters.unresolved);
  visit("little_steps", counters.little_steps);
}

using Numbers = std::vector<double>;

// Numbers of a member, one after the other.
class Packer {
 public:
  explicit Packer(Numbers& to) : to_(to) {}

  template <class T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) void pass(const T& value) {
    to_.push_back(static_cast<double>(value));
  }
  void pass(const Numbers& values) {
    pass(values.size());
    to_.insert(to_.end(), values.begin(), values.end());
  }
  void pass(const std::vector<Numbers>& values) {
    pass(values.size());
    for (const Numbers& entry : values) pass(entry);
  }
  void pass(const std::vector<Passed>& values) {
    for (const Passed& entry : values) to_.insert(to_.end(), {entry.gap, entry.objective});
  }
  void pass(const nlp::Request& value) {
    to_.insert(to_.end(), {value.accuracy, 1.0 * value.max_steps, value.stiff ? 1.0 : 0.0, value.smoothing,
                           static_cast<double>(value.rows)});
  }
  void pass(const SecantTerm& value) {
    pass(value.is_better());
    pass(value.S().data);
  }
  void pass(const std::optional<Bfgs>& value) {
    if (!value) return;
    pass(value->unknowns());
    pass(value->numbers());
  }

 private:
  Numbers& to_;
};

// The other way round; what is left or missing at the end shows that the numbers were others.
class Unpacker {
 public:
  explicit Unpacker(const Numbers& from) : from_(from) {}

  bool is_exact() const { return !is_short_ && at_ == from_.size(); }

  template <class T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) void pass(T& value) { value = static_cast<T>(next()); }
  void pass(bool& value) { value = next() != 0; }
  void pass(Numbers& values) { values = take(count()); }
  void pass(std::vector<Numbers>& values) {
    const std::size_t n = count();
    values.clear();
    for (std::size_t i = 0; i < n && !is_short_; ++i) values.push_back(take(count()));
  }
  void pass(std::vector<Passed>& values) {
    values.clear();
    while (at_ + 1 < from_.size()) {
      const double gap = next();
      values.push_back({gap, next()});
    }
  }
  void pass(nlp::Request& value) {
    value.accuracy = next();
    pass(value.max_steps);
    pass(value.stiff);
    value.smoothing = next();
    pass(value.rows);
  }
  void pass(SecantTerm& value) {
    bool is_better = false;
    pass(is_better);
    Numbers S;
    pass(S);
    value = SecantTerm(std::move(S), is_better);
  }
  void pass(std::optional<Bfgs>& value) {
    value.reset();
    if (from_.empty()) return;
    int unknowns = 0;
    pass(unknowns);
    Numbers numbers;
    pass(numbers);
    if (!is_short_) value = Bfgs(unknowns, numbers);
  }

 private:
  double next() {
    is_short_ = is_short_ || at_ >= from_.size();
    return is_short_ ? 0 : from_[at_++];
  }
  std::size_t count() {
    const double n = next();
    is_short_ = is_short_ || !(n >= 0 && n <= static_cast<double>(from_.size()));
    return is_short_ ? 0 : static_cast<std::size_t>(n);
  }
  Numbers take(std::size_t n) {
    is_short_ = is_short_ || at_ + n > from_.size();
    if (is_short_) return {};
    at_ += n;
    return {from_.begin() + static_cast<std::ptrdiff_t>(at_ - n), from_.begin() + static_cast<std::ptrdiff_t>(at_)};
  }

  const Numbers& from_;
  std::size_t at_ = 0;
  bool is_short_ = false;
};

void write_line(std::string& text, std::string_view name, const Numbers& numbers) {
  text += name;
  for (const double number : numbers) text += fmt::format(" {:a}", number);
  text += '\n';
}

// The numbers of each line; nothing if one of them is none.
std::optional<std::map<std::string, Numbers, std::less<>>> read_lines(std::string_view text) {
  std::map<std::string, Numbers, std::less<>> lines;
  while (!text.empty()) {
    const std::string line(text.substr(0, text.find('\n')));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::size_t end_of_name = std::min(line.find(' '), line.size());
    Numbers& numbers = lines[line.substr(0, end_of_name)];
    const char* at = line.c_str() + end_of_name;
    while (*at != '\0') {
      char* after = nullptr;
      numbers.push_back(std::strtod(at, &after));
      if (after == at) return std::nullopt;
      at = after;
    }
  }
  return lines;
}

Issue damaged(std::string message) {
  return {.kind = Issue::Kind::unreadable, .message = std::move(message), .hint = "begin the run again"};
}

}  // namespace

std::string write(const State& state) {
  std::string text(title);
  const auto line = [&text](std::string_view name, const auto& member) {
    Numbers numbers;
    Packer(numbers).pass(member);
    write_line(text, name, numbers);
  };
  each_member(state, line);
  each_counter(state.counters, line);
  return text + "sha256 " + sha256(text) + "\n";
}

Result<State> read(std::string_view text) {
  if (text.substr(0, title.size()) != title) return damaged("this is not the state of a run");
  const std::size_t end = text.rfind("sha256 ");
  if (end == std::string_view::npos) return damaged("the state of the run has no end");
  const std::string_view content = text.substr(0, end);
  if (text.substr(end) != "sha256 " + sha256(content) + "\n")
    return damaged("the state of the run was changed after it was written");
  const auto lines = read_lines(content.substr(title.size()));
  State state;
  std::string_view missing;
  const auto line = [&](std::string_view name, auto& member) {
    const auto found = lines ? lines->find(name) : decltype(lines->find(name)){};
    if (!lines || found == lines->end()) {
      missing = name;
      return;
    }
    Unpacker unpacker(found->second);
    unpacker.pass(member);
    if (!unpacker.is_exact()) missing = name;
  };
  each_member(state, line);
  each_counter(state.counters, line);
  if (!missing.empty()) return damaged(fmt::format("the state of the run lacks '{}'", missing));
  return state;
}

}  // namespace salvo::solve
