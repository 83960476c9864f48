#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/csv/table.hpp"
#include "formats/dates.hpp"
#include "formats/file_source.hpp"
#include "formats/issue_log.hpp"
#include "formats/text_file.hpp"
#include "formats/yaml/node.hpp"
#include "model/problem.hpp"

namespace salvo::formats {

using expression::NodeId;

// What a name of the file stands for.
struct Name {
  enum class Kind {
    state,
    parameter,
    definition,
    observable,
    input,
    derived,
    algebraic,  // until its equation is solved; then a definition or a state
    field,
    coordinate,
  };
  Kind kind = Kind::state;
  int index = 0;  // among those of its kind
  Place place{};  // where it was defined
};
std::string_view to_string(Name::Kind kind);  // "a state", "a parameter", ...

// What a formula depends on.
struct Traits {
  bool uses_states = false;
  bool uses_time = false;
  bool uses_inputs = false;
  bool uses_delays = false;
  bool uses_space = false;  // coordinates
  bool uses_field_operators = false;
};

struct Definition {
  std::string id{};
  NodeId node = expression::no_node;  // with other definitions put in; none if the definition is faulty
  Traits traits{};
};

// A network whose shape is read and whose weights have names.
struct NetworkDraft {
  model::Network shape{};
  Place place{};                       // of its name
  const yaml::Node* inputs = nullptr;  // a list of formulas
  int first_output = 0;                // index of its first output in Draft::definitions
};

// A table of doses that was found among the data, and where their bioavailability and lag are said.
struct FoundDoses {
  const yaml::Node* source = nullptr;
  TextFile file{};
  csv::Table table{};
};

// A state of the file that a row of the section `mass` joins with others: id = state + sum of factor * other.
struct CombinedState {
  std::string id{};     // of the combination, which is a state of the problem
  std::string state{};  // which is a formula of it
  std::vector<std::pair<std::string, NodeId>> others{};
  NodeId symbol = expression::no_node;  // of the combination
  NodeId value = expression::no_node;   // the formula of the state
};

// An equation 0 = g that the section `mass` leaves.
struct ZeroRow {
  std::string variable{};  // that it is meant for
  std::string row{};       // whose equation it was
  std::string text{};
  NodeId g = expression::no_node;
  Place place{};
};

struct PlacedEvent {
  Place place{};  // in the problem file
  model::Event event{};
};

// A problem while its file is being read: what is known so far, and what is wrong with it.
struct Draft {
  Draft(TextFile text, FileSource& where) : file(std::move(text)), source(where), log(file.name) {
    problem.file = file.name;
  }

  TextFile file;
  FileSource& source;  // of all further files
  IssueLog log;
  Issues data_issues{};  // of the data files, in their order
  std::size_t data_issues_left_out = 0;
  model::Problem problem{};
  std::map<std::string, Name, std::less<>> names{};
  std::vector<Definition> definitions{};  // those of the file, then the outputs of networks
  std::vector<NetworkDraft> networks{};
  std::vector<CombinedState> combined{};
  std::vector<ZeroRow> zero_rows{};
  std::map<std::string, NodeId> given_initial{};  // known initial values of the file of what `mass` joins
  std::map<int, Place> history_places{};          // of states whose history the file says
  std::vector<PlacedEvent> events{};
  std::vector<FoundDoses> found_doses{};
  std::string given_data{};      // the path of a data file that the caller named; empty: none
  std::vector<Traits> traits{};  // of every node of the graph, as far as they were asked for
  // False after a fault that hides names: then an unknown one is no news.
  bool all_names_known = true;
  bool all_experiments_known = true;
  std::optional<Calendar> calendar{};   // present: times may be dates
  std::vector<bool> start_is_stated{};  // of every experiment
  std::vector<bool> is_infused{};       // of every experiment: something flows into a state for a while
  // Rows before a start that is not stated; their Issues are told if it stays where it is.
  struct EarlyRow {
    int experiment = 0;
    Issue issue{};
  };
  std::vector<EarlyRow> early_rows{};

  const Name* find(std::string_view name) const;
  std::vector<std::string> names_of(Name::Kind kind) const;
  // One may have the name of the state that it observes.
  bool has_observable(std::string_view name) const;
  std::vector<std::string> observable_names() const;
  // Does this name have a differential equation? Only such a state can be set, and begin where one likes.
  bool is_differential(const Name* name) const;
  void warn(Place place, std::string message, std::string hint = {});
};

// What a formula of the draft depends on.
Traits what_it_uses(Draft& draft, NodeId node);
// Notes whether the definition's formula depends on states or time.
void note_what_it_uses(Draft& draft, Definition& definition);

}  // namespace salvo::formats
