#include "salvo/fit.hpp"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <future>
#include <stdexcept>

#include "c/border.hpp"
#include "c/words.hpp"
#include "options/prepare.hpp"
#include "report/version.hpp"
#include "salvo/report.hpp"
#include "salvo/run.hpp"

namespace salvo::c {
namespace {

using options::Door;

constexpr std::chrono::milliseconds between_questions{50};

// Nobody waits for a run whose caller has left.
struct StopsAtTheEnd {
  std::atomic<bool>& flag;
  ~StopsAtTheEnd() { flag = true; }
};

// The work is done by another thread, so that `stop` is asked by the one that called: R and Julia do not bear to be
// called by threads that they do not know.
template <class Work>
FitResult run(const Work& work, salvo_stop stop, void* user) {
  if (stop == nullptr) return work(RunContext{});
  std::atomic<bool> is_stopped = stop(user) != 0;  // who wants nothing gets nothing, however quick it would be
  RunContext context;
  context.interrupted = [&] { return is_stopped.load(); };
  auto running = std::async(std::launch::async, [&] { return work(context); });
  const StopsAtTheEnd guard{is_stopped};
  while (running.wait_for(between_questions) != std::future_status::ready)
    if (!is_stopped && stop(user) != 0) is_stopped = true;
  return running.get();
}

FitResult fit_or_profile(const options::PreparedFit& prepared, bool profiles, const RunContext& context) {
  if (profiles) return fit::profile(prepared.problem, prepared.options, {.trajectories = true}, context);
  return fit::fit(prepared.problem, prepared.options, context);
}

int write_folder(const options::PreparedFit& prepared, const FitResult& result, const std::string& folder) {
  try {
    report::write_fit(
        prepared.problem, result, folder,
        {.seed = prepared.options.seed, .threads = prepared.options.threads, .files = prepared.problem.files_read});
  } catch (const std::runtime_error& failure) {
    return refuse(SALVO_FAILED, failure.what());
  }
  return SALVO_OK;
}

}  // namespace
}  // namespace salvo::c

using namespace salvo;

int salvo_fit(const salvo_problem* problem, const char* options, salvo_stop stop, void* user, char** json) {
  return c::guarded([&] {
    if (json == nullptr) return c::refuse_null("json");
    *json = nullptr;
    if (problem == nullptr) return c::refuse_null("problem");
    const auto words = c::fit_words(options);
    if (!words) return c::refuse(words.issues());
    const auto prepared = options::prepare_fit(*words, problem->problem, c::Door::object);
    if (!prepared) return c::refuse(prepared.issues());
    if (words->out)
      if (const Issues trouble = options::check_folder(*words->out, c::Door::object); !trouble.empty())
        return c::refuse(trouble);
    c::remember_warnings(c::lines_of(prepared->warnings));
    const auto work = [&](const RunContext& context) { return c::fit_or_profile(*prepared, words->profiles, context); };
    const FitResult result = c::run(work, stop, user);
    *json = c::copy_of(report::fit_json(prepared->problem, result));
    return words->out ? c::write_folder(*prepared, result, *words->out) : SALVO_OK;
  });
}

int salvo_simulate(const salvo_problem* problem, const char* options, char** csv) {
  return c::guarded([&] {
    if (csv == nullptr) return c::refuse_null("csv");
    *csv = nullptr;
    if (problem == nullptr) return c::refuse_null("problem");
    const auto words = c::simulate_words(options);
    if (!words) return c::refuse(words.issues());
    model::Problem content = problem->problem;
    if (const Issues issues = options::set_cells(words->cells, content, c::Door::object); !issues.empty())
      return c::refuse(issues);
    const auto prepared = options::prepare_simulation(*words, content, c::Door::object);
    if (!prepared) return c::refuse(prepared.issues());
    const fit::SimulateResult result = fit::simulate(content, *prepared);
    *csv = c::copy_of(report::simulation_csv(content, result.experiments, prepared->places));
    return result.ok ? SALVO_OK : c::refuse(SALVO_NO_NUMBER, result.message);
  });
}

void salvo_free_string(char** text) {
  if (text == nullptr) return;
  std::free(*text);
  *text = nullptr;
}

int salvo_abi_version(void) { return SALVO_ABI_VERSION; }

const char* salvo_version(void) { return report::version().data(); }
