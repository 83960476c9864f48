#include <mpi.h>

#include <cstdio>
#include <exception>
#include <optional>
#include <thread>

#include "cli/interrupt.hpp"
#include "cli/output.hpp"
#include "cli/run.hpp"
#include "cluster/mpi_team.hpp"
#include "runs/worker.hpp"

namespace {

using salvo::cluster::MpiTeam;

// Takes part in the run that the first process has opened. Returns the exit code of its trouble, if there is any.
std::optional<int> follow(MpiTeam& team) {
  salvo::cli::catch_interrupts();
  salvo::cli::catch_wishes_of_schedulers();
  const std::optional<MpiTeam::Call> call = team.wait_for_call();
  if (!call) return std::nullopt;
  const salvo::RunContext context{.interrupted = [&] { return salvo::cli::was_interrupted() || team.is_ended(); }};
  salvo::runs::WorkWish wish;
  if (!call->threads.empty()) wish.threads = call->threads;
  try {
    if (!call->run.empty()) {
      const salvo::Issues trouble = salvo::runs::help(*call, context, team);
      return trouble.empty() ? std::nullopt : std::optional(salvo::cli::refuse(trouble));
    }
    const auto done = salvo::runs::work(call->folder, wish, context, &team);
    if (!done) return salvo::cli::refuse(done.issues());
  } catch (const std::exception& failure) {
    return salvo::cli::refuse({salvo::cli::usage_issue(failure.what())});
  }
  return std::nullopt;
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0, rank = 0, size = 1;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MpiTeam team(rank, size);
  int code = 0;
  std::thread command([&] {
    if (team.is_first()) {
      code = salvo::cli::run(argc, argv, &team);
      team.finish();
    } else {
      team.finish(follow(team));
    }
  });
  if (const std::optional<int> trouble = team.talk()) MPI_Abort(MPI_COMM_WORLD, *trouble);
  command.join();
  MPI_Finalize();
  return code;
}
