#include "formats/problem/nonmem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>

#include "base/words.hpp"
#include "formats/problem/cells.hpp"
#include "formats/problem/unknown_columns.hpp"

namespace salvo::formats {
namespace {

using csv::Cell;
using csv::Row;

constexpr int most_additional_doses = 10'000;
constexpr const char* without_nonmem_value = "leave the cell empty or write . where there is nothing";
const std::vector<std::string> nonmem_columns{"ID",  "TIME", "DV", "AMT", "RATE", "EVID", "MDV",
                                              "CMT", "ADDL", "II", "SS",  "DVID", "CENS"};
// What `columns` of the data calls them.
const std::map<std::string, std::string> other_names{{"EXPERIMENT", "ID"}, {"VALUE", "DV"}, {"OBSERVABLE", "DVID"}};

enum class Record { measurement, dose, other, faulty };

std::string column_name(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  const auto other = other_names.find(text);
  return other == other_names.end() ? text : other->second;
}

class NonmemReader {
 public:
  NonmemReader(const Draft& draft, const csv::Table& table, const TimeColumn& time, IssueLog& log)
      : draft_(draft), table_(table), time_(time), log_(log), cells_(draft, log, without_nonmem_value, time.scale) {}

  NonmemTable read(const std::vector<bool>& ignored) {
    read_header(ignored);
    if (!log_.empty()) return {};
    name_parts();
    for (const Row& row : table_.rows)
      if (!(&row == table_.rows.data() && has_units(row))) read_row(row);
    tell_order();
    cells_.tell();
    return std::move(out_);
  }

 private:
  // --- the header ---

  void read_header(const std::vector<bool>& ignored) {
    std::vector<Cell> unknown;
    for (std::size_t i = 0; i < table_.header.size(); ++i) {
      const Cell& cell = table_.header[i];
      if (ignored[i]) continue;
      const std::string column = column_name(cell.text);
      if (draft_.has_observable(cell.text))
        wide_.push_back(i);
      else if (std::find(nonmem_columns.begin(), nonmem_columns.end(), column) == nonmem_columns.end())
        unknown.push_back(cell);
      else if (!columns_.emplace(column, i).second)
        log_.add(cell.place, fmt::format("the column {} is there twice", column), "ignore one of them");
    }
    const bool is_time_missing = !columns_.contains("TIME");
    if (is_time_missing || !unknown.empty())
      report_unknown_columns({.cells = unknown,
                              .is_time_missing = is_time_missing,
                              .known = nonmem_columns,
                              .observables = draft_.observable_names()},
                             table_.header, log_);
    check_values();
  }

  // What DV is must be clear.
  void check_values() {
    const Place begin = table_.header[0].place;
    const auto& observables = draft_.problem.observables;
    const bool has_dv = columns_.contains("DV");
    if (!has_dv && wide_.empty())
      log_.add(begin, "the column DV, the values that were measured, is missing",
               fmt::format("write columns: {{{}: NAME}} where it has another name", observables[0].id));
    else if (has_dv && !wide_.empty())
      log_.add(table_.header[columns_.at("DV")].place,
               "the table has DV, and columns with the names of observables too", "map or ignore one of them");
    else if (has_dv && !columns_.contains("DVID") && observables.size() > 1)
      log_.add(table_.header[columns_.at("DV")].place,
               "it is not clear which observable DV is: there are several, and no column DVID",
               fmt::format("write columns: {{{}: DV}}, or add a column DVID with names of observables or their numbers",
                           observables[0].id));
  }

  void name_parts() {
    out_.doses.header = named({"experiment", "time", "state", "amount", "duration"});
    out_.measurements.header = named({"experiment", "time", "measured"});
    if (wide_.empty())
      for (const Cell& cell : named({"observable", "value"})) out_.measurements.header.push_back(cell);
    for (const std::size_t i : wide_) out_.measurements.header.push_back(table_.header[i]);
  }
  Row named(const std::vector<std::string>& names) const {
    Row row;
    for (const std::string& name : names) row.push_back({name, table_.header[0].place});
    return row;
  }

  // --- the rows ---

  // Empty where there is nothing.
  static Cell without_dot(Cell cell) {
    if (is_gap(cell) || cell.text == ".") cell.text.clear();
    return cell;
  }
  Cell at(const Row& row, const std::string& column) const {
    const auto found = columns_.find(column);
    return found == columns_.end() ? Cell{.place = row[0].place} : without_dot(row[found->second]);
  }
  // 0 where there is nothing; nothing after an Issue.
  std::optional<double> number(const Row& row, const std::string& column) {
    const Cell cell = at(row, column);
    if (cell.text.empty()) return 0;
    return cells_.finite(cell, column);
  }
  bool has_units(const Row& row) {
    const std::size_t time = columns_.at("TIME");
    if (!is_row_of_units(row, time)) return false;
    check_row_of_units(draft_, row[time], time_, log_);
    return true;
  }
  bool is_nonzero(const Row& row, const std::string& column) { return number(row, column).value_or(0) != 0; }

  void read_row(const Row& row) {
    const Cell id = at(row, "ID");
    if (columns_.contains("ID") && id.text.empty()) return log_.add(id.place, "the ID is missing in this row");
    if (!id.text.empty() && known_.insert(id.text).second) out_.patients.push_back(id.text);
    switch (kind_of(row)) {
      case Record::measurement:
        if (!is_nonzero(row, "MDV")) add_measurement(row);
        return;
      case Record::dose: return add_dose(row);
      case Record::other: return add_empty(row);
      case Record::faulty: return;
    }
  }

  Record kind_of(const Row& row) {
    const std::optional<double> amount = number(row, "AMT");
    if (!amount) return Record::faulty;
    const Cell evid = at(row, "EVID");
    if (evid.text.empty()) return *amount != 0 ? Record::dose : Record::measurement;
    if (evid.text == "1") return Record::dose;
    if (evid.text == "2") return Record::other;
    if (const std::optional<double> code = parse_number(evid.text); code && *code >= 100)
      log_.add(evid.place,
               fmt::format("EVID {} is a dose in the numbering of RxODE, which holds the compartment, too", evid.text),
               "write EVID 1, and the compartment in a column CMT");
    else if (evid.text == "3" || evid.text == "4")
      log_.add(evid.place, fmt::format("EVID {} (all states become 0) is not supported", evid.text),
               "give what follows an ID of its own, or write the reset under 'events'");
    else if (evid.text != "0")
      log_.add(evid.place,
               fmt::format("EVID is '{}'; it must be 0 (a measurement), 1 (a dose) or 2 (neither)", evid.text));
    else if (*amount == 0)
      return Record::measurement;
    else
      log_.add(at(row, "AMT").place, "a measurement (EVID 0) has an amount", "write EVID 1 for a dose");
    return Record::faulty;
  }

  void add_measurement(const Row& row) {
    const Cell place{.place = row[0].place};
    Row out{at(row, "ID"), at(row, "TIME"), place};
    const std::optional<std::string> limit = limit_of(row);
    if (!limit) return;
    const auto with_limit = [&](Cell value) {
      if (!value.text.empty() && value.text[0] != '<' && value.text[0] != '>') value.text.insert(0, *limit);
      return value;
    };
    if (wide_.empty()) {
      const Cell value = with_limit(at(row, "DV"));
      if (value.text.empty()) return;
      const std::optional<Cell> observable = observable_of(row);
      if (!observable) return;
      out.push_back(*observable);
      out.push_back(value);
    }
    for (const std::size_t i : wide_) out.push_back(with_limit(without_dot(row[i])));
    at_time_[{out[0].text, out[1].text}].measured.push_back(out_.measurements.rows.size());
    out_.measurements.rows.push_back(std::move(out));
  }

  // Nothing was measured: a value is to be predicted there.
  void add_empty(const Row& row) {
    const Cell empty{.place = row[0].place};
    Row out{at(row, "ID"), at(row, "TIME"), empty};
    if (wide_.empty()) out.insert(out.end(), {Cell{draft_.problem.observables[0].id, empty.place}, empty});
    out.insert(out.end(), wide_.size(), empty);
    out_.measurements.rows.push_back(std::move(out));
  }

  // What CENS says of DV: 1, it lies below it; -1, above it.
  std::optional<std::string> limit_of(const Row& row) {
    const std::optional<double> censored = number(row, "CENS");
    if (!censored) return std::nullopt;
    if (*censored == 0) return "";
    if (*censored == 1) return "<";
    if (*censored == -1) return ">";
    log_.add(at(row, "CENS").place, fmt::format("CENS is {}", number_text(*censored)),
             "write 1 where DV is a limit that the value lies below, -1 where it lies above, and 0 otherwise");
    return std::nullopt;
  }

  // Records act in their order: what stands before a dose of the same TIME was measured before it.
  void take_place(const Row& row) {
    AtTime& there = at_time_[{at(row, "ID").text, at(row, "TIME").text}];
    for (const std::size_t i : there.measured) {
      Row& earlier = out_.measurements.rows[i];
      if (!earlier[measured_column].text.empty()) continue;
      earlier[measured_column].text = "before";
      if (there.has_dose) between_.push_back(earlier[measured_column].place);
    }
    there.has_dose = true;
  }
  void tell_order() {
    if (!between_.empty())
      log_.add(between_[0], "a measurement between two doses of the same TIME",
               "write it before both or after both, or let a little time pass between them");
  }

  // A name, or a number that counts the observables from 1.
  std::optional<Cell> observable_of(const Row& row) {
    const auto& observables = draft_.problem.observables;
    Cell cell = at(row, "DVID");
    if (!columns_.contains("DVID")) cell.text = observables[0].id;
    return by_number(cell, "DVID", "observables", observables);
  }
  template <class Things>
  std::optional<Cell> by_number(Cell cell, const char* column, const char* what, const Things& things) {
    const std::optional<double> number = parse_number(cell.text);
    if (!number) return cell;
    for (std::size_t i = 0; i < things.size(); ++i)
      if (*number == static_cast<double>(i + 1)) return Cell{things[i].id, cell.place};
    log_.add(cell.place, fmt::format("{} is {}, but there are {} {}", column, cell.text, things.size(), what),
             fmt::format("write a number from 1 to {}, in the order of the section, or a name", things.size()));
    return std::nullopt;
  }

  void add_dose(const Row& row) {
    const Cell time = at(row, "TIME");
    const std::optional<double> begin = cells_.time(time);
    const std::optional<Cell> duration = duration_of(row);
    const std::optional<Cell> state = state_of(row);
    const std::optional<Repeated> repeated = repetition_of(row);
    if (is_nonzero(row, "SS"))
      log_.add(at(row, "SS").place, "doses that have come to a steady state before (SS) are not supported",
               "write the doses that led there as rows, or by ADDL and II");
    if (!begin || !duration || !state || !repeated) return;
    take_place(row);
    for (int k = 0; k <= repeated->more; ++k)
      out_.doses.rows.push_back({at(row, "ID"),
                                 {number_text(*begin + scaled_time(k * repeated->interval, time_.scale)), time.place},
                                 *state,
                                 at(row, "AMT"),
                                 *duration});
  }

  std::optional<Cell> state_of(const Row& row) {
    const auto& states = draft_.problem.states;
    Cell cell = at(row, "CMT");
    if (cell.text.empty() || cell.text == "0") cell.text = states[0].id;  // as NONMEM does
    return by_number(cell, "CMT", "states", states);
  }

  // Empty for a dose that is given all at once.
  std::optional<Cell> duration_of(const Row& row) {
    const Cell rate = at(row, "RATE");
    const std::optional<double> per_time = number(row, "RATE");
    const std::optional<double> amount = number(row, "AMT");
    if (!per_time || !amount) return std::nullopt;
    if (!(*amount > 0)) {
      log_.add(at(row, "AMT").place, fmt::format("the amount of a dose (AMT) is {}; it must be positive", *amount));
      return std::nullopt;
    }
    if (*per_time < 0) {
      log_.add(rate.place,
               fmt::format("RATE is {}: rates and durations that the model says are not read from here", rate.text),
               "write this dose in a table under 'doses', where the duration may be a formula of parameters");
      return std::nullopt;
    }
    return Cell{*per_time > 0 ? number_text(scaled_time(*amount / *per_time, time_.scale)) : "", rate.place};
  }

  struct Repeated {
    int more = 0;  // besides the dose of the row itself
    double interval = 0;
  };
  std::optional<Repeated> repetition_of(const Row& row) {
    const std::optional<double> more = number(row, "ADDL");
    const std::optional<double> interval = number(row, "II");
    if (!more || !interval) return std::nullopt;
    if (!(*more >= 0 && *more <= most_additional_doses && *more == std::floor(*more)))
      log_.add(at(row, "ADDL").place, fmt::format("the number of additional doses (ADDL) is {}", number_text(*more)),
               fmt::format("it must be a whole number from 0 to {}", most_additional_doses));
    else if (*more > 0 && !(*interval > 0))
      log_.add(at(row, "II").place, fmt::format("additional doses (ADDL) {} apart", number_text(*interval)),
               "their distance II must be positive");
    else if (*more == 0 && *interval != 0 && !is_nonzero(row, "SS"))
      log_.add(at(row, "II").place, "an interval between doses (II) without ADDL, which says how many follow",
               "write how many doses follow in a column ADDL, or II 0");
    else
      return Repeated{static_cast<int>(*more), *interval};
    return std::nullopt;
  }

  const Draft& draft_;
  const csv::Table& table_;
  const TimeColumn& time_;
  IssueLog& log_;
  CellReader cells_;
  std::map<std::string, std::size_t> columns_;  // by NONMEM's names
  std::vector<std::size_t> wide_;               // columns of observables
  std::set<std::string> known_;                 // patients
  struct AtTime {
    std::vector<std::size_t> measured{};  // rows of out_.measurements
    bool has_dose = false;
  };
  static constexpr std::size_t measured_column = 2;                  // of out_.measurements
  std::map<std::pair<std::string, std::string>, AtTime> at_time_{};  // by ID and TIME
  std::vector<Place> between_{};                                     // measurements that stand between two doses
  NonmemTable out_;
};

}  // namespace

NonmemTable part_nonmem(const Draft& draft, const csv::Table& table, const std::vector<bool>& ignored,
                        const TimeColumn& time, IssueLog& log) {
  return NonmemReader(draft, table, time, log).read(ignored);
}

}  // namespace salvo::formats
