#pragma once

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// How many fields a plain struct has, and how many of them its `each` visits.
namespace salvo::test {

struct Anything {
  template <class T>
  operator T() const;
};

template <class T, class... Given>
constexpr int field_count() {
  if constexpr (requires { T{std::declval<Given>()..., Anything{}}; })
    return field_count<T, Given..., Anything>();
  else
    return static_cast<int>(sizeof...(Given));
}

// The names of all numbers in a tree of rules, in order, and whether each struct in it visits all of its fields, once
// for a number and once or more for a list.
struct Walked {
  std::vector<std::string> names{};
  bool is_complete = true;
};
template <class Rules>
void walk(const Rules& rules, Walked& out) {
  std::vector<std::string> own;
  Rules::each(rules, [&](const char* name, const auto& value) {
    if (own.empty() || own.back() != name) own.push_back(name);
    if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(value)>>)
      out.names.push_back(name);
    else
      walk(value, out);
  });
  out.is_complete = out.is_complete && static_cast<int>(own.size()) == field_count<Rules>();
}

}  // namespace salvo::test
