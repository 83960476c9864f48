#include "formats/wrong_input.hpp"

namespace salvo::formats {
namespace {

WrongInput table(std::string name, std::string data, int line, int column, std::string message, std::string hint = {}) {
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

std::string two_experiments() { return longer("experiments:\n  low: {set: {p3: 1}}\n  high: {set: {p3: 2}}\n"); }

}  // namespace

std::vector<WrongInput> wrong_data() {
  const std::string wide = "time,predator,prey\n";
  const std::string lengthy = "time,observable,value,noise\n";
  return {
      table("EmptyFile", "", 1, 1, "the file is empty"),
      table("OnlyAHeader", wide, 1, 1, "holds no measurements"),
      table("OnlyGaps", wide + "0,NA,\n", 1, 1, "holds no measurements"),
      table("NoTime", "Time,predator,prey\n0,1,2\n", 1, 1, "unknown column 'Time'", "did you mean 'time'?"),
      table("UnknownColumn", "time,predator,pray\n0,1,2\n", 1, 15, "unknown column 'pray'", "did you mean 'prey'?"),
      table("InvisibleCharacter", "time,predator,prey\u200b\n0,1,2\n", 1, 15, "unknown column 'prey\u200b'",
            "not visible: write 'prey' again"),
      table("ControlCharacterOfTwoBytes", "time,prey\n0,\u009b31m\n", 2, 3, "a control character (code 155)"),
      table("NoObservable", "time\n0\n", 1, 1, "no column holds an observable", "predator"),
      table("TwoColumnsOfOneName", "time,prey,prey\n0,1,2\n", 1, 11, "two columns are named 'prey'"),
      table("TwoColumnsOfTimes", "time,time,prey\n0,0,2\n", 1, 6, "two columns are named 'time'"),
      table("TabsInACsv", "time\tpredator\tprey\n0\t1\t2\n", 1, 1, "not separated by commas", ".tsv"),
      table("NotANumber", wide + "0,1,two\n", 2, 5, "'two' is not a number"),
      table("DecimalCommaInQuotes", wide + "0,1,\"0,5\"\n", 2, 5, "'0,5' is not a number", "decimal comma"),
      table("DecimalComma", wide + "0,1,0,5\n", 2, 7, "4 cells, but the header has 3", "decimal comma"),
      table("LimitWithAnEqualsSign", wide + "0,1,<=0.5\n", 2, 5, "the limit '<=0.5' cannot be read", "<0.1"),
      table("LimitWithTwoSigns", wide + "0,1,<>0.5\n", 2, 5, "'>0.5' is not a number"),
      table("TooFewCells", wide + "0,1\n", 2, 4, "2 cells, but the header has 3"),
      table("NanAsAValue", wide + "0,1,nan\n", 2, 5, "must be a finite number", "NA"),
      table("InfiniteValue", wide + "0,1,inf\n", 2, 5, "must be a finite number"),
      table("ValueOutOfRange", wide + "0,1,1e400\n", 2, 5, "out of the range"),
      table("InfiniteTime", wide + "-inf,1,2\n", 2, 1, "the time is '-inf'"),
      table("MissingTime", wide + ",1,2\n", 2, 1, "the time is missing"),
      table("TimeBeforeTheStart", wide + "# a comment\n-1,1,2\n0,1,2\n", 3, 1, "the time -1 is before the start",
            "'start'"),
      table("QuoteNotClosed", wide + "0,\"1,2\n", 2, 3, "never closed"),
      table("TextAfterAQuote", wide + "0,\"1\"x,2\n", 2, 6, "follows the closing quote"),
      table("InvalidUtf8", wide + "0,1,\xFF\n", 2, 5, "not UTF-8"),
      table("LineOf2Megabytes", wide + std::string(2'000'000, '1') + "\n", 2, 1, "more than 1 MiB"),
      table("NoiseInAWideTable", "time,prey,noise\n0,1,2\n", 1, 11, "unknown column 'noise'",
            "time,observable,value,noise"),
      table("UnknownObservable", lengthy + "0,prei,1,1\n1,prei,1,1\n", 2, 3, "unknown observable 'prei'",
            "did you mean 'prey'?"),
      table("LongWithoutValue", "time,observable\n0,prey\n", 1, 1, "the column 'value' is missing"),
      table("NoiseOfZeroInALongTable", lengthy + "0,prey,1,0\n", 2, 10, "the noise must be positive"),
      with_problem(table("UnknownExperiment", "experiment,time,prey\nlow,0,1\nhigh,0,1\nhihg,1,1\n", 4, 1,
                         "unknown experiment 'hihg'", "did you mean 'high'?"),
                   two_experiments()),
      with_problem(table("NoExperiment", "time,prey\n0,1\n1,2\n", 1, 1, "the column 'experiment' is missing", "low"),
                   two_experiments()),
      with_problem(table("ValueOfZeroOnALogScale", wide + "0,1,0\n", 2, 5, "needs positive values"),
                   changed("x2, noise: 0.05", "x2, noise: 0.05, distribution: log-normal")),
      table("LimitWithoutANumber", wide + "0,1,<\n", 2, 5, "the value cannot be read"),
      with_problem(table("FractionOfACount", wide + "0,1,1.5\n", 2, 5, "whole numbers"),
                   changed("x2, noise: 0.05", "x2, distribution: poisson")),
      with_problem(table("FractionsOfACount", wide + "0,1,1.5\n1,1,2.5\n2,1,3.5\n", 2, 5,
                         "which is of whole numbers from 0 on (and 2 more like it)"),
                   changed("x2, noise: 0.05", "x2, distribution: poisson")),
      table("ColumnOfNan", wide + "0,1,nan\n1,1,nan\n2,1,nan\n", 2, 5, "a finite number (and 2 more like it)",
            "leave the cell empty"),
      with_problem(table("NegativeCount", wide + "0,1,-1\n", 2, 5, "whole numbers"),
                   changed("x2, noise: 0.05", "x2, distribution: poisson")),
      with_problem(table("LimitOfACount", wide + "0,1,<5\n", 2, 5, "not supported for counts"),
                   changed("x2, noise: 0.05", "x2, distribution: poisson")),
      with_problem(table("NoiseOfACount", lengthy + "0,prey,1,1\n", 2, 10, "takes no noise"),
                   changed("x2, noise: 0.05", "x2, distribution: poisson")),
      in_problem("NoSuchFile", changed("data.csv", "date.csv"), 15, 7, "no such file", "did you mean 'data.csv'?"),
      in_problem("FolderAsFile", changed("data.csv", "."), 15, 7, "it is a folder"),
      in_problem("FileNamedTwice", changed("data.csv", "[data.csv, data.csv]"), 15, 18, "named twice"),
      in_problem("DataWithoutAFile", changed("data.csv", "{time: t}"), 15, 7, "names no file", "file:"),
      in_problem("ColumnThatIsNotThere", changed("data.csv", "{file: data.csv, columns: {prey: Prey}}"), 15, 40,
                 "no column 'Prey'", "did you mean 'prey'?"),
      in_problem("ColumnOfNothing", changed("data.csv", "{file: data.csv, columns: {pray: prey}}"), 15, 34,
                 "'pray' in 'columns' is not an observable", "did you mean 'prey'?"),
      in_problem("ColumnOfTwoObservables",
                 changed("data.csv", "{file: data.csv, columns: {prey: prey, predator: prey}}"), 15, 56,
                 "already that of 'prey'"),
      in_problem("MappedColumnBesideOneOfItsName", changed("data.csv", "{file: data.csv, columns: {prey: predator}}"),
                 15, 40, "has the column 'prey' too", "ignore: [prey]"),
      in_problem("IgnoredColumnThatIsNotThere", changed("data.csv", "{file: data.csv, ignore: [who]}"), 15, 33,
                 "no column 'who'"),
      table("ForeignColumns", "time,predator,prey,observer,rain (mm)\n0,1,2,AB,1\n", 1, 20,
            "unknown columns 'observer', 'rain (mm)'", "data: {file: data.csv, ignore: [observer, rain (mm)]}"),
      table("ForeignColumnsAndNoTime", "Date,fish,birds\n0,1,2\n", 1, 1,
            "no column is called 'time', and 'Date', 'fish', 'birds' are unknown",
            "data: {file: data.csv, time: Date, columns: {predator: NAME}, ignore: [NAME]}"),
      table("Dates", wide + "2024-02-26,1,2\n2024-02-27,1,2\n2024-02-28,1,2\n", 2, 1,
            "the times are dates, such as '2024-02-26' (and 2 more like it)", "time: {unit: day, from: 2024-02-26}"),
      table("OtherDates", wide + "26.2.2024,1,2\n27.2.2024,1,2\n", 2, 1, "'26.2.2024' is no date that can be read",
            "2024-03-01"),
      with_problem(
          table("DatesThatDoNotExist", wide + "2023-02-28,1,2\n2023-02-29,1,2\n", 3, 1, "no date that can be read"),
          longer("time: {unit: day, from: 2023-01-01}\n")),
      with_problem(table("DatesAndNumbers", wide + "2023-02-28,1,2\n5,1,2\n6,1,2\n", 3, 1,
                         "the time '5' is no date, but those above are dates (and 1 more like it)"),
                   longer("time: {unit: day, from: 2023-01-01}\n")),
      with_problem(table("DatesBeforeTheStart", wide + "2022-12-30,1,2\n2022-12-31,1,2\n2024-02-01,1,2\n", 2, 1,
                         "the time 2022-12-30 is before the start of the integration, 0 (and 1 more like it)"),
                   longer("time: {unit: day, from: 2023-01-01}\n")),
      in_problem("DatesWithoutAUnit", longer("time: {from: 2023-01-01}\n"), 16, 7, "need the unit", "unit: day"),
      in_problem("DatesInALengthThatVaries", longer("time: {unit: month, from: 2023-01-01}\n"), 16, 14,
                 "cannot be counted in the text 'month'", "week"),
      in_problem("FromWithoutADate", longer("time: {unit: day, from: 5}\n"), 16, 25, "'5' is no date", "2024-03-01"),
      in_problem("StartAtADateWithoutACalendar", longer("start: 2024-02-26\n"), 16, 8, "is a date", "from: 2024-02-26"),
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
