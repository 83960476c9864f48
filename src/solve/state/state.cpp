#include "solve/state/state.hpp"

#include "base/exact_text.hpp"
#include "solve/state/members.hpp"

namespace salvo::solve {
namespace {

constexpr ExactKind state_of_a_run{
    .name = "state", .version = 1, .a_thing = "the state of a run", .thing = "the state of the run"};

}  // namespace

std::string write(const State& state) {
  ExactWriter writer(state_of_a_run);
  each_member(state, writer);
  return writer.finish();
}

Result<State> read(std::string_view text) {
  ExactReader reader(state_of_a_run, text);
  State state;
  each_member(state, reader);
  if (reader.trouble()) return *reader.trouble();
  return state;
}

}  // namespace salvo::solve
