#include "cli/declare.hpp"

#include <CLI/CLI.hpp>

#include "report/version.hpp"

namespace salvo::cli {
namespace {

CLI::Option* add_word(CLI::App& command, const char* name, Word& word, const char* type, const char* help) {
  return command.add_option(name, word, help)->type_name(type)->take_last();
}

void add_assignments(CLI::App& command, const char* name, std::vector<std::string>& texts, const char* help) {
  command.add_option(name, texts, help)->type_name("NAME=X,...")->allow_extra_args(false);
}

void add_problem(CLI::App& command, std::string& file) {
  command.add_option("PROBLEM", file, "the problem file (YAML)")->type_name("")->required();
}

void add_run(CLI::App& command, std::string& folder) {
  command.add_option("RUN", folder, "folder of a run: --out of salvo fit --starts, study or profile")
      ->type_name("")
      ->required();
}

void add_integrator(CLI::App& command, IntegratorArguments& words) {
  const char* group = "Integration";
  add_word(command, "--integrator", words.integrator, "NAME",
           "auto, dopri5 (adaptive steps), rodas5p (the same for stiff equations) rk4 (fixed steps) or cvodes; "
           "default: as in the "
           "file")
      ->group(group);
  add_word(command, "--rtol", words.rtol, "X", "relative tolerance of the integrator, 1e-14 to 0.01")->group(group);
  add_word(command, "--atol", words.atol, "X", "absolute tolerance of the integrator")->group(group);
}

void add_json(CLI::App& command, bool& json) {
  command.add_flag("--json", json, "the result as one JSON object on standard output");
}

void add_values(CLI::App& command, ValueArguments& words) {
  add_word(
      command, "--parameters", words.parameters, "FILE",
      "values, p1=0.5,x1=0.4, or a table with the columns parameterId and value; what is not named keeps its guess");
  add_word(command, "--from", words.from, "DIR", "take the estimates of an earlier fit");
}

void add_method(CLI::App& command, FitArguments& words) {
  const char* group = "Method";
  add_word(command, "--method", words.method, "NAME",
           "auto (default): Salvo chooses\n"
           "gauss-newton: vector gaps, generalised Gauss-Newton\n"
           "lagrangian: multipliers and a penalty on gaps, for very many parameters\n"
           "scalar: one squared gap per interval, SQP with BFGS")
      ->group(group);
  add_word(command, "--derivatives", words.derivatives, "NAME", "auto (default), tangent or adjoint")->group(group);
  add_word(command, "--nodes", words.nodes, "NODES",
           "auto (default), measurements, single, a number of intervals, or times like 0,2.5,5")
      ->group(group);
  add_word(command, "--start", words.start, "NAME",
           "states at the nodes to start from: auto (default), data or simulate")
      ->group(group);
}

void add_unknowns(CLI::App& command, FitArguments& words) {
  add_assignments(command, "--guess", words.guess, "start values of parameters and initial values: p1=0.5,x1=0.4");
  add_word(command, "--from", words.from, "DIR", "start from the estimates of an earlier fit");
  add_assignments(command, "--fix", words.fix, "hold these at a value: p2=1");
}

void add_data(CLI::App& command, FitArguments& words) {
  const char* group = "Data";
  add_word(command, "--data", words.data, "FILE",
           "this table in place of the one that the problem file names, read as that says")
      ->group(group);
  command.add_option("--only", words.only, "fit the measurements of these experiments alone: low,high")
      ->type_name("EXPERIMENT,...")
      ->allow_extra_args(false)
      ->group(group);
}

void add_until(CLI::App& command, FitArguments& words) {
  add_word(command, "--until", words.until, "T", "curves and bands go on to this time, beyond the last measurement")
      ->group("Output");
}

CLI::Option* add_memory(CLI::App& command, Word& words) {
  return add_word(command, "--memory", words, "MB",
                  "for the steps of trajectories that derivatives need; what does not fit is computed again");
}

void add_cells(CLI::App& command, Word& word) {
  add_word(command, "--cells", word, "N", "divide the space of fields into so many cells, whatever the file says");
}

void add_limits(CLI::App& command, FitArguments& words) {
  const char* group = "Limits";
  add_word(command, "--max-iterations", words.max_iterations, "N", "default 200; 500 with --method scalar")
      ->group(group);
  add_word(command, "--tolerance", words.tolerance, "X",
           "scaled step that counts as converged, 1e-13 to 0.1; default 1e-8")
      ->group(group);
  add_word(command, "--max-time", words.max_time, "SEC", "stop after so many seconds and write what was reached")
      ->group(group);
  add_word(command, "--effort", words.effort, "X", "times the work that a fit may do; default 1")->group(group);
  add_memory(command, words.memory)->group(group);
}

void add_spread(CLI::App& command, FitArguments& words) {
  const char* group = "Several starts";
  add_word(command, "--starts", words.starts, "N",
           "fit from N starting points, keep the best and tell the optima found; default 1")
      ->group(group);
  add_word(command, "--seed", words.seed, "S", "of the random numbers; default 1")->group(group);
  add_word(command, "--threads", words.threads, "N", "default 0: all cores; the result is the same for any number")
      ->group(group);
}

void add_output(CLI::App& command, FitArguments& words, const char* out_help) {
  const char* group = "Output";
  add_word(command, "--out", words.out, "DIR", out_help)->group(group);
  command
      .add_flag("--resume", words.resume,
                "go on where an earlier run of the same command in this folder ended, with more starts or replicates "
                "if you like")
      ->group(group);
  command
      .add_flag("--prepare", words.prepare,
                "compute nothing: write what the run is into its folder, for salvo work to do on any machine")
      ->group(group);
  command.add_flag("--json", words.json, "the result as one JSON object on standard output")->group(group);
  command.add_flag("--quiet", words.quiet, "print nothing but warnings and errors")->group(group);
  command.add_flag("--verbose", words.verbose, "print every iteration, and how it is computed")->group(group);
}

void add_fit_options(CLI::App& command, FitArguments& words, const char* out_help) {
  add_problem(command, words.problem);
  add_unknowns(command, words);
  add_data(command, words);
  add_method(command, words);
  add_integrator(command, words.integrator);
  add_cells(command, words.cells);
  command.add_flag("--accept-grid-error", words.accept_grid_error,
                   "an answer that the cells move by more than half a standard error counts as one");
  add_limits(command, words);
  add_spread(command, words);
  add_output(command, words, out_help);
}

void declare_fit(CLI::App& app, FitArguments& words) {
  CLI::App& command = *app.add_subcommand("fit", "Estimate the parameters of a problem from its data");
  add_fit_options(command, words, "folder for the results; default STEM.fit in the current folder");
  add_word(
      command, "--intervals", words.intervals, "KIND",
      "auto (default): from standard errors, and along the likelihood where it says otherwise; wald or profile: all "
      "of one kind")
      ->group("Output");
  add_until(command, words);
  command.add_flag("--profiles", words.profiles, "the profile likelihoods of all estimates too, see salvo profile")
      ->group("Output");
  command.footer(
      "Examples:\n"
      "  salvo fit predator.yaml                          all as the file says\n"
      "  salvo fit predator.yaml --nodes single           single shooting\n"
      "  salvo fit predator.yaml --guess p1=1,p2=1 --starts 20 --seed 7\n"
      "  salvo fit predator.yaml --fix p2=1 --from predator.fit --out fixed.fit\n"
      "  salvo fit predator.yaml --until 20               a forecast, with its bands\n"
      "  salvo fit predator.yaml --json | jq .parameters\n"
      "\n"
      "Exit codes: 0 converged, 1 wrong usage or unreadable file, 2 invalid problem, 3 not supported,\n"
      "4 not converged, 130 interrupted, 75 stopped by a scheduler (SIGTERM, SIGUSR1, SIGXCPU). With 4, 130 and 75\n"
      "the results hold what was reached; after 75, --resume goes on.");
}

void declare_profile(CLI::App& app, ProfileArguments& words) {
  CLI::App& command = *app.add_subcommand("profile", "How sure is each estimate? Profile likelihoods and predictions");
  command
      .add_option("--parameters", words.parameters,
                  "only these, parameters, initial values or derived quantities: a,b; default: all")
      ->type_name("NAME,...")
      ->allow_extra_args(false);
  command
      .add_option(
          "--predict", words.predict,
          "of an observable or any formula at these times: prey@12,14, x1/(x1 + x2)@12; of parameters alone "
          "without times: p1/p2; with several experiments low:prey@12. An observable also has the interval of a new "
          "measurement")
      ->type_name("FORMULA@TIMES")
      ->allow_extra_args(false);
  add_word(command, "--level", words.level, "X", "of the intervals; default 0.95");
  add_fit_options(command, words.fit, "folder for the results; default STEM.fit in the current folder");
  add_until(command, words.fit);
  command.footer(
      "Examples:\n"
      "  salvo profile predator.yaml                      every parameter and initial value\n"
      "  salvo profile predator.yaml --from predator.fit --parameters p1,x1 --level 0.99\n"
      "  salvo profile predator.yaml --predict prey@12,14,16\n"
      "  salvo profile predator.yaml --predict p3/p4 --predict \"x1 + x2@12\"");
}

void declare_evaluate(CLI::App& app, EvaluateArguments& words) {
  CLI::App& command = *app.add_subcommand("evaluate", "Likelihood and residuals at given parameter values");
  add_problem(command, words.problem);
  add_values(command, words.values);
  command.add_flag("--gradient", words.gradient, "the gradient of the log-likelihood too, on each parameter's scale");
  command.add_flag("--jacobian", words.jacobian,
                   "with --json: the derivatives of what every measurement is predicted to be, by every estimated "
                   "quantity on its scale");
  add_json(command, words.json);
  add_word(command, "--repeat", words.repeat, "N",
           "with --json: compute values, gradient and Jacobian so often each, and tell the shortest times");
  add_word(command, "--max-time", words.max_time, "SEC", "give up after so many seconds");
  add_cells(command, words.cells);
  add_memory(command, words.memory);
  add_integrator(command, words.integrator);
  command.footer(
      "Examples:\n"
      "  salvo evaluate predator.yaml                     at the guesses of the file\n"
      "  salvo evaluate predator.yaml --parameters point.tsv --gradient --json");
}

void declare_simulate(CLI::App& app, SimulateArguments& words) {
  CLI::App& command = *app.add_subcommand("simulate", "Trajectories of states and observables as CSV");
  add_problem(command, words.problem);
  add_word(command, "--at", words.at, "TIMES", "at these times: 0,0.5,1");
  add_word(command, "--until", words.until, "T", "201 points up to this time; default: the last measurement");
  add_word(command, "--places", words.places, "X,...",
           "fields and what is observed of them at these places; default: fields at the centres of cells");
  add_cells(command, words.cells);
  add_values(command, words.values);
  add_json(command, words.json);
  add_integrator(command, words.integrator);
  command.footer(
      "Examples:\n"
      "  salvo simulate predator.yaml > guess.csv         at the guesses of the file\n"
      "  salvo simulate predator.yaml --from predator.fit --until 50 > forecast.csv");
}

void declare_simulate_sbml(CLI::App& app, SimulateSbmlArguments& words) {
  CLI::App& command = *app.add_subcommand("simulate-sbml", "Trajectories of an SBML model as CSV");
  command.add_option("MODEL", words.model, "the model (SBML Level 2 or 3)")->type_name("")->required();
  add_word(command, "--settings", words.settings, "FILE",
           "as the SBML test suite asks: lines like 'start: 0', 'duration: 5', 'steps: 50', 'variables: S1, S2', "
           "'amount: S1'; default: all species from 0 to 100");
  add_word(command, "--csv", words.csv, "OUT",
           "table to write: the time and a column for each variable; default: standard output");
  add_integrator(command, words.integrator);
  command.footer(
      "Examples:\n"
      "  salvo simulate-sbml model.xml > trajectories.csv\n"
      "  salvo simulate-sbml model.xml --settings settings.txt --csv trajectories.csv");
}

void declare_convert(CLI::App& app, ConvertArguments& words) {
  CLI::App& command = *app.add_subcommand("convert", "From PEtab to a problem file of Salvo, and back");
  add_problem(command, words.problem);
  command.add_option("OUT", words.out, "folder for what is written, or the problem file itself (OUT.yaml)")
      ->type_name("")
      ->required();
  command.add_flag("--replace", words.replace, "write over files that are there already");
  command.footer(
      "Examples:\n"
      "  salvo convert petab/problem.yaml boehm           boehm/boehm.yaml and boehm/boehm.csv, to read and to edit\n"
      "  salvo convert predator.yaml predator-petab       a PEtab problem (version 2); what PEtab cannot say is named");
}

void declare_study(CLI::App& app, StudyArguments& words) {
  CLI::App& command = *app.add_subcommand("study", "Draw data from the model again and again, and refit them");
  add_assignments(command, "--truth", words.truth,
                  "values to draw data from; default: those of --from, or the guesses of the file");
  add_word(command, "--replicates", words.replicates, "N", "how many data sets; default 100");
  add_word(command, "--intervals", words.fit.intervals, "KIND",
           "whose coverage is counted: wald (default), from standard errors, auto, as fit reports them, or profile");
  add_fit_options(command, words.fit, "folder for study.json and summary.txt; default: not written");
  command.footer(
      "Examples:\n"
      "  salvo study predator.yaml --truth p1=1,p2=1 --replicates 200 --seed 3\n"
      "  salvo study predator.yaml --nodes single --json");
}

void declare_design(CLI::App& app, DesignArguments& words) {
  CLI::App& command = *app.add_subcommand("design", "Which experiment next? The samples that tell most");
  add_problem(command, words.problem);
  add_values(command, words.values);
  add_word(command, "--design", words.design, "FILE",
           "the section 'design' of this file in place of the problem's own");
  add_word(command, "--seed", words.seed, "S", "of draws from priors ('over: prior'); default 1");
  add_word(command, "--out", words.out, "DIR", "folder for the results; default STEM.design in the current folder");
  add_json(command, words.json);
  command.add_flag("--quiet", words.quiet, "print nothing but warnings and errors");
  add_integrator(command, words.integrator);
  command.footer(
      "What could be measured, its budget and what it is for stand in the section 'design' of the problem file.\n"
      "\n"
      "Examples:\n"
      "  salvo design predator.yaml                       at the guesses of the file\n"
      "  salvo design predator.yaml --from predator.fit   at the estimates of a fit; its data count\n"
      "  salvo design predator.yaml --json | jq .measurements\n"
      "\n"
      "Exit codes: 0 found, 1 wrong usage or unreadable file, 2 invalid problem, 4 no candidate can determine what it\n"
      "is for, or the budget is too small, 130 interrupted.");
}

void declare_check(CLI::App& app, CheckArguments& words) {
  CLI::App& command =
      *app.add_subcommand("check", "Is the problem sound? Sizes, derivatives, what can be identified, what is hard");
  add_problem(command, words.problem);
  add_cells(command, words.cells);
  add_word(command, "--max-time", words.max_time, "SEC", "leave out the rest after so many seconds; default 60");
  add_json(command, words.json);
  command.footer("Example:\n  salvo check predator.yaml");
}

void declare_work(CLI::App& app, WorkArguments& words) {
  CLI::App& command = *app.add_subcommand("work", "Do tasks of a run, on any machine that sees its folder");
  add_run(command, words.folder);
  add_word(command, "--share", words.share, "I/N",
           "begin with part I of N, from 0 on; then do what nobody has finished, whoever's part it is");
  add_word(command, "--task", words.task, "K", "this start, replicate or side alone, from 0 on");
  add_word(command, "--max-time", words.max_time, "TIME", "stop after so many seconds, or 3h50m");
  add_word(command, "--threads", words.threads, "N", "default 0: all cores that the process may use");
  command.add_flag("--quiet", words.quiet, "print nothing but warnings and errors");
  command.footer(
      "Examples:\n"
      "  salvo fit predator.yaml --starts 10000 --out run --prepare\n"
      "  salvo work run --share 3/64 --max-time 3h50m     on as many machines as you like\n"
      "  salvo status run && salvo gather run             how far, and the results of what is finished\n"
      "\n"
      "SIGTERM, SIGUSR1 and SIGXCPU ask it to stop. Exit codes: 0 nothing is left to do, 75 there is more to do.");
}

void declare_status(CLI::App& app, StatusArguments& words) {
  CLI::App& command = *app.add_subcommand("status", "How far has a run come, and how long will it take?");
  add_run(command, words.folder);
  add_json(command, words.json);
  command.footer("Example:\n  salvo status run");
}

void declare_gather(CLI::App& app, GatherArguments& words) {
  CLI::App& command = *app.add_subcommand("gather", "Write the results of what is finished of a run");
  add_run(command, words.folder);
  add_json(command, words.json);
  command.add_flag("--quiet", words.quiet, "print nothing but warnings and errors");
  command.footer("Example:\n  salvo gather run                                 others may work on it meanwhile");
}

void declare_new(CLI::App& app, NewArguments& words) {
  CLI::App& command = *app.add_subcommand("new", "Write a commented problem file and data to start from");
  command.add_option("NAME", words.name, "folder to make; the problem file in it has the same name")->type_name("");
  add_word(command, "--from", words.from, "MODEL",
           "write the equations of this SBML model; NAME is then that of the file unless it is given");
  command.footer(
      "Examples:\n"
      "  salvo new hares && salvo fit hares/hares.yaml\n"
      "  salvo new --from model.xml                       model/model.yaml, and a table for your data");
}

void declare_plot(CLI::App& app, PlotArguments& words) {
  CLI::App& command = *app.add_subcommand("plot", "Draw a finished fit for a paper: curves with their bands, and data");
  command.add_option("DIR", words.folder, "folder that a fit has written")->type_name("")->required();
  add_word(command, "--out", words.out, "FILE", "file to write; its ending says what; default DIR/figure.svg");
  add_word(command, "--format", words.format, "NAME", "svg (default), pdf or png; the latter two need rsvg-convert");
  add_word(command, "--width", words.width, "MM", "in mm, or column (85) or page (175, the default)");
  add_word(command, "--height", words.height, "MM", "in mm; default: as the panels need it");
  const auto add_list = [&](const char* name, std::vector<std::string>& texts, const char* type, const char* help) {
    command.add_option(name, texts, help)->type_name(type)->delimiter(',')->allow_extra_args(false);
  };
  add_list("--log", words.log, "AXES", "logarithmic axes: time, values or time,values");
  add_list("--phase", words.phase, "X,Y", "two states or observables, one against the other, in place of time");
  command.add_flag("--common", words.common, "the same axes in every panel");
  command.add_flag("--overlay", words.overlay, "all experiments in one panel, in colours");
  command.footer(
      "Examples:\n"
      "  salvo plot predator.fit --out figure1.pdf --width column\n"
      "  salvo plot doses.fit --overlay --log values --out doses.png\n"
      "  salvo plot predator.fit --phase prey,predator --width 85 --height 70");
}

void declare_report(CLI::App& app, std::string& folder) {
  CLI::App& command = *app.add_subcommand("report", "Write the HTML page of a finished fit again");
  command.add_option("DIR", folder, "folder that a fit has written; report.html is put there")
      ->type_name("")
      ->required();
  command.footer("Example:\n  salvo report predator.fit");
}

void declare_compare(CLI::App& app, CompareArguments& words) {
  CLI::App& command = *app.add_subcommand("compare", "Which of several fits to the same data is the best?");
  command.add_option("DIR", words.folders, "folders that fits have written, two or more")->type_name("")->required();
  command.add_flag("--nested", words.nested,
                   "each model is a special case of those with more parameters, although their files do not show it: "
                   "test the likelihood ratios");
  add_word(command, "--out", words.out, "FILE", "write the comparison as a page for the browser");
  command.add_flag("--json", words.json, "the comparison as one JSON object on standard output");
  command.footer(
      "Examples:\n"
      "  salvo fit predator.yaml && salvo fit predator.yaml --fix p2=1 --out fixed.fit\n"
      "  salvo compare predator.fit fixed.fit --out comparison.html");
}

void declare_eval_math(CLI::App& app, std::string& formula) {
  CLI::App& command = *app.add_subcommand("eval-math", "The value of one formula");
  command.add_option("EXPR", formula, "numbers, functions, pi and e; may begin with '-'")->type_name("")->required();
  command.footer("Examples:\n  salvo eval-math 'sqrt(2) / 2'\n  salvo eval-math '-2^2'");
}

}  // namespace

void declare_commands(CLI::App& app, Arguments& arguments) {
  app.set_version_flag("--version", "salvo " + std::string(report::version()));
  app.require_subcommand(0, 1);
  app.get_formatter()->label("SUBCOMMAND", "COMMAND");
  declare_fit(app, arguments.fit);
  declare_evaluate(app, arguments.evaluate);
  declare_simulate(app, arguments.simulate);
  declare_simulate_sbml(app, arguments.simulate_sbml);
  declare_convert(app, arguments.convert);
  declare_study(app, arguments.study);
  declare_profile(app, arguments.profile);
  declare_check(app, arguments.check);
  declare_design(app, arguments.design);
  declare_new(app, arguments.new_problem);
  declare_plot(app, arguments.plot);
  declare_report(app, arguments.report_folder);
  declare_compare(app, arguments.compare);
  declare_work(app, arguments.work);
  declare_status(app, arguments.status);
  declare_gather(app, arguments.gather);
  declare_eval_math(app, arguments.formula);
  app.allow_extras();
  for (CLI::App* command : app.get_subcommands({})) {
    command->group("Commands");
    command->allow_extras();  // run.cpp names them with a hint
  }
  app.footer(
      "Begin with\n"
      "  salvo new hares                 a problem file and data in the folder hares\n"
      "  salvo check hares/hares.yaml    is it sound?\n"
      "  salvo fit hares/hares.yaml      estimates; hares.fit/report.html shows it all\n"
      "\n"
      "salvo COMMAND --help tells more.");
}

}  // namespace salvo::cli
