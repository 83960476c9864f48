#include "formats/wrong_input.hpp"

namespace salvo::formats {
namespace {

WrongInput wrong(std::string name, std::string data, int line, int column, std::string message, std::string hint = {}) {
  return {.name = std::move(name),
          .files = {{"data.csv", std::move(data)}},
          .in_file = "data.csv",
          .line = line,
          .column = column,
          .message = std::move(message),
          .hint = std::move(hint)};
}

WrongInput with_problem(WrongInput input, std::string problem) {
  input.files["problem.yaml"] = std::move(problem);
  return input;
}

WrongInput in_problem(std::string name, std::string problem, int line, int column, std::string message,
                      std::string hint = {}) {
  return {.name = std::move(name),
          .files = {{"problem.yaml", std::move(problem)}},
          .line = line,
          .column = column,
          .message = std::move(message),
          .hint = std::move(hint)};
}

std::string two_experiments() { return longer("experiments:\n  low: {set: {p3: 1}}\n  high: {set: {p3: 2}}\n"); }

}  // namespace

std::vector<WrongInput> wrong_data() {
  const std::string wide = "time,predator,prey\n";
  const std::string lengthy = "time,observable,value,noise\n";
  return {
      wrong("EmptyFile", "", 1, 1, "the file is empty"),
      wrong("OnlyAHeader", wide, 1, 1, "holds no measurements"),
      wrong("OnlyGaps", wide + "0,NA,\n", 1, 1, "holds no measurements"),
      wrong("NoTime", "Time,predator,prey\n0,1,2\n", 1, 1, "unknown column 'Time'", "did you mean 'time'?"),
      wrong("UnknownColumn", "time,predator,pray\n0,1,2\n", 1, 15, "unknown column 'pray'", "did you mean 'prey'?"),
      wrong("InvisibleCharacter", "time,predator,prey\u200b\n0,1,2\n", 1, 15, "unknown column 'prey\u200b'",
            "not visible: write 'prey' again"),
      wrong("ControlCharacterOfTwoBytes", "time,prey\n0,\u009b31m\n", 2, 3, "a control character (code 155)"),
      wrong("NoObservable", "time\n0\n", 1, 1, "no column holds an observable", "predator"),
      wrong("TwoColumnsOfOneName", "time,prey,prey\n0,1,2\n", 1, 11, "two columns are named 'prey'"),
      wrong("Semicolons", "time;predator;prey\n0;1;2\n", 1, 1, "not separated by commas", "commas"),
      wrong("NotANumber", wide + "0,1,two\n", 2, 5, "'two' is not a number"),
      wrong("DecimalCommaInQuotes", wide + "0,1,\"0,5\"\n", 2, 5, "'0,5' is not a number", "decimal comma"),
      wrong("DecimalComma", wide + "0,1,0,5\n", 2, 7, "4 cells, but the header has 3", "decimal comma"),
      wrong("TooFewCells", wide + "0,1\n", 2, 4, "2 cells, but the header has 3"),
      wrong("NanAsAValue", wide + "0,1,nan\n", 2, 5, "must be a finite number", "NA"),
      wrong("InfiniteValue", wide + "0,1,inf\n", 2, 5, "must be a finite number"),
      wrong("ValueOutOfRange", wide + "0,1,1e400\n", 2, 5, "out of the range"),
      wrong("InfiniteTime", wide + "inf,1,2\n", 2, 1, "the time is 'inf'"),
      wrong("MissingTime", wide + ",1,2\n", 2, 1, "the time is missing"),
      wrong("TimeBeforeTheStart", wide + "# a comment\n-1,1,2\n0,1,2\n", 3, 1, "the time -1 is before the start",
            "'start'"),
      wrong("QuoteNotClosed", wide + "0,\"1,2\n", 2, 3, "never closed"),
      wrong("TextAfterAQuote", wide + "0,\"1\"x,2\n", 2, 6, "follows the closing quote"),
      wrong("InvalidUtf8", wide + "0,1,\xFF\n", 2, 5, "not UTF-8"),
      wrong("LineOf2Megabytes", wide + std::string(2'000'000, '1') + "\n", 2, 1, "more than 1 MiB"),
      wrong("NoiseInAWideTable", "time,prey,noise\n0,1,2\n", 1, 11, "unknown column 'noise'",
            "time,observable,value,noise"),
      wrong("UnknownObservable", lengthy + "0,prei,1,1\n1,prei,1,1\n", 2, 3, "unknown observable 'prei'",
            "did you mean 'prey'?"),
      wrong("LongWithoutValue", "time,observable\n0,prey\n", 1, 1, "the column 'value' is missing"),
      wrong("NoiseOfZeroInALongTable", lengthy + "0,prey,1,0\n", 2, 10, "the noise must be positive"),
      wrong("UnknownExperimentWithoutSection", "experiment,time,prey\nlow,0,1\n", 2, 1, "unknown experiment 'low'",
            "experiments"),
      with_problem(wrong("UnknownExperiment", "experiment,time,prey\nlow,0,1\nhigh,0,1\nhihg,1,1\n", 4, 1,
                         "unknown experiment 'hihg'", "did you mean 'high'?"),
                   two_experiments()),
      with_problem(wrong("NoExperiment", "time,prey\n0,1\n1,2\n", 1, 1, "the column 'experiment' is missing", "low"),
                   two_experiments()),
      with_problem(wrong("ValueOfZeroOnALogScale", wide + "0,1,0\n", 2, 5, "needs positive values"),
                   changed("x2, noise: 0.05", "x2, noise: 0.05, distribution: log-normal")),
      in_problem("NoSuchFile", changed("data.csv", "date.csv"), 15, 7, "no such file", "did you mean 'data.csv'?"),
      in_problem("FolderAsFile", changed("data.csv", "."), 15, 7, "it is a folder"),
      in_problem("FileNamedTwice", changed("data.csv", "[data.csv, data.csv]"), 15, 18, "named twice"),
      in_problem("DataThatIsAMap", changed("data.csv", "{file: data.csv}"), 15, 7, "must be a text"),
      {.name = "NoiseUnknownForValidation",
       .files = {{"problem.yaml", changed("{formula: x2, noise: 0.05}", "x2") + "validation: later.csv\n"},
                 {"data.csv", "time,predator\n0,1\n"},
                 {"later.csv", "time,prey\n3,1\n"}},
       .line = 14,
       .column = 3,
       .message = "validation"},
  };
}

}  // namespace salvo::formats
