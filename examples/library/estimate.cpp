// Estimates the parameters of a problem file and writes the results: estimate PROBLEM FOLDER
#include <cstdio>
#include <salvo/fit.hpp>
#include <salvo/read.hpp>
#include <salvo/report.hpp>
#include <salvo/run.hpp>
#include <variant>

int main(int argc, char** argv) {
  if (argc != 3) return 1;

  // A problem, or every mistake in its files.
  const auto problem = salvo::formats::read_problem(argv[1]);
  if (!problem) {
    for (const auto& issue : problem.issues()) std::puts(to_string(issue).c_str());
    return 1;
  }

  // Without its translator the library interprets models, and says why.
  if (const std::string why = salvo::fit::why_no_machine_code(); !why.empty())
    std::printf("no machine code: %s\n", why.c_str());

  // The library never prints; it tells what happens to whoever listens, and asks whether to go on.
  salvo::RunContext context;
  context.listener = [](const salvo::Event& event) {
    if (const auto* done = std::get_if<salvo::IterationDone>(&event))
      std::printf("iteration %d: objective %g, largest gap %.1e\n", done->iteration, done->objective, done->gap);
  };
  salvo::fit::Options options;
  options.nodes = salvo::model::NodesAtMeasurements{};
  options.guess["k"] = 2;

  // A fit does not throw: how it ended is part of the result.
  const salvo::FitResult result = salvo::fit::fit(*problem, options, context);
  std::puts(result.message.c_str());
  for (const auto& parameter : result.parameters)
    std::printf("%s = %.6f +- %.6f\n", parameter.id.c_str(), parameter.estimate, parameter.standard_error.value_or(0));

  salvo::report::write_fit(*problem, result, argv[2]);  // report.html among others
  return result.status == salvo::Status::converged ? 0 : 4;
}
