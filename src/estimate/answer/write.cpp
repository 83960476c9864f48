#include "estimate/answer/write.hpp"

#include <tuple>
#include <type_traits>
#include <utility>

#include "base/exact_text.hpp"
#include "solve/state/members.hpp"

namespace salvo {

template <>
struct Parts<shooting::Grid> {
  static auto of(auto& grid) { return std::tie(grid.experiment, grid.tau); }
};
template <>
struct Parts<solve::Iteration> {
  static auto of(auto& row) {
    return std::tie(row.iteration, row.objective, row.gap, row.step, row.multiplier, row.theta, row.phase, row.rule);
  }
};
template <>
struct Parts<solve::Frame> {
  static auto of(auto& frame) { return std::tie(frame.iteration, frame.grid, frame.q); }
};
template <>
struct Parts<solve::Film> {
  static std::tuple<std::vector<solve::Frame>, int> of(const solve::Film& film) {
    return {film.frames(), film.stride()};
  }
  static solve::Film made(std::vector<solve::Frame> frames, int stride) { return {std::move(frames), stride}; }
};
template <>
struct Parts<solve::Conflict> {
  static auto of(auto& conflict) { return std::tie(conflict.rows, conflict.lower, conflict.upper); }
};
template <>
struct Parts<solve::Probe> {
  static auto of(auto& probe) { return std::tie(probe.direction, probe.verdict, probe.change); }
};
template <>
struct Parts<estimate::RunPart> {
  static auto of(auto& part) {
    return std::tie(part.changes, part.search_accuracy, part.stops_when_joined, part.was_stiff);
  }
};

}  // namespace salvo

namespace salvo::estimate {
namespace {

constexpr ExactKind answer_of_a_fit{.name = "answer", .version = 1, .a_thing = "an answer", .thing = "the answer"};

// Names of what belongs to something: "run.state.point".
template <class Visit>
auto within(std::string_view owner, Visit& visit) {
  return [owner = std::string(owner) + ".", &visit](std::string_view name, auto& value) {
    visit(owner + std::string(name), value);
  };
}

// All but the derivatives, which follow from Answer::linearised.
template <class Self, class Visit>
void each_of_run(Self& run, Visit&& visit) {
  visit("request", run.request);
  visit("ended", run.ended);
  visit("claims_minimum", run.claims_minimum);
  visit("trouble", run.trouble);
  visit("chain", run.chain);
  visit("link", run.link);
  visit("q", run.q);
  visit("objective", run.objective);
  visit("gap", run.gap);
  visit("violation", run.violation);
  visit("promised", run.promised);
  visit("iterations", run.iterations);
  visit("trace", run.trace);
  visit("film", run.film);
  visit("multipliers", run.multipliers);
  visit("conflict", run.conflict);
  solve::each_member(run.state, within("state", visit));
  visit("best_iteration", run.best_iteration);
}

template <class Self, class Visit>
void each_of_certificate(Self& certificate, Visit&& visit) {
  visit("gap", certificate.gap);
  visit("constraint_violation", certificate.constraint_violation);
  visit("gain", certificate.gain);
  visit("resolution", certificate.resolution);
  visit("is_resolved", certificate.is_resolved);
  visit("integration", certificate.integration);
  visit("contraction", certificate.contraction);
  visit("is_of_nodes", certificate.is_of_nodes);
  visit("is_flat", certificate.is_flat);
  visit("probes", certificate.probes);
  visit("rank", certificate.rank);
  visit("missing", certificate.missing);
}

template <class Self, class Visit>
void each_of_stopped(Self& stopped, Visit&& visit) {
  each_of_run(stopped.before, within("before", visit));
  each_of_run(stopped.last, within("last", visit));
  visit("part", stopped.part);
  visit("scale", stopped.scale);
}

// An answer as values with names, in one order: what is listed here is written, and read again.
template <class Self, class Visit>
void each_member(Self& answer, Visit&& visit) {
  visit("way", answer.way);
  each_of_run(answer.run, within("run", visit));
  visit("linearised", answer.linearised);
  visit("grids", answer.grids);
  visit("estimates", answer.estimates);
  visit("standing", answer.standing);
  visit("trouble", answer.trouble);
  each_of_certificate(answer.certificate, within("certificate", visit));
  visit("mirrored", answer.mirrored);
  visit("method", answer.method);
  visit("derivatives", answer.derivatives);
  visit("integrator", answer.integrator);
  visit("work", answer.work);
  visit("points", answer.points);
  visit("remarks", answer.remarks);
  visit("start.grids", answer.start.grids);
  visit("start.q", answer.start.q);
  visit("grids_seen", answer.grids_seen);
  bool is_stopped = answer.stopped.has_value();
  visit("is_stopped", is_stopped);
  if constexpr (!std::is_const_v<Self>)
    if (is_stopped) answer.stopped.emplace();
  if (is_stopped) each_of_stopped(*answer.stopped, within("stopped", visit));
}

}  // namespace

std::string write(const Answer& answer) {
  ExactWriter writer(answer_of_a_fit);
  each_member(answer, writer);
  return writer.finish();
}

Result<Answer> read(std::string_view text) {
  ExactReader reader(answer_of_a_fit, text);
  Answer answer;
  each_member(answer, reader);
  if (reader.trouble()) return *reader.trouble();
  return answer;
}

Answer as_written(Answer answer) {
  answer.run.linearized = {};
  answer.predictions = {};
  answer.root.reset();
  answer.motion.reset();
  return answer;
}

bool operator==(const Answer& a, const Answer& b) { return write(a) == write(b); }

}  // namespace salvo::estimate

void salvo::Parts<salvo::estimate::Answer>::pass(const estimate::Answer& answer, WordWriter& words) {
  estimate::each_member(answer, [&](std::string_view, const auto& value) { words.pass(value); });
}
void salvo::Parts<salvo::estimate::Answer>::pass(estimate::Answer& answer, WordReader& words) {
  estimate::each_member(answer, [&](std::string_view, auto& value) { words.pass(value); });
}
