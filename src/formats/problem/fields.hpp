#pragma once

#include <functional>
#include <optional>
#include <string>

#include "formats/problem/draft.hpp"

// The sections `space`, `fields`, `boundary` and `scheme`, and what formulas say of fields.
namespace salvo::formats {

// Coordinates and fields get their names and symbols; what else is said of coordinates is read here, too, as formulas
// need to know them.
void declare_fields(Draft& draft, const yaml::Node& root);
void read_fields(Draft& draft, const yaml::Node& root);

// A formula and where it stands.
struct FormulaCheck {
  const std::string& text;
  const std::string& what;
  bool derivatives = false;  // in space may stand there
  IssueLog& log;
  const std::function<Place(int column)>& place_of;
};
// What a formula says of fields must make sense: derivatives of what lives in space, integrals over coordinates, places
// inside the domain. Adds an Issue at the operation's place and returns false otherwise.
bool check_field_operators(Draft& draft, NodeId node, const FormulaCheck& check);

}  // namespace salvo::formats
