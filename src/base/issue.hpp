#pragma once

#include <string>
#include <vector>

namespace salvo {

// What is wrong with an input, where, and what to do about it.
// Line and column count from 1; 0 means that the place is not known.
struct Issue {
  enum class Kind {
    unreadable,   // wrong usage or a file that cannot be read: exit code 1
    invalid,      // the input is wrong: exit code 2
    unsupported,  // the input is right, but Salvo cannot do it yet: exit code 3
    warning,      // worth a word, no reason to stop
  };
  Kind kind = Kind::invalid;
  std::string file{};
  int line = 0;
  int column = 0;
  std::string message{};
  std::string hint{};
  bool is_feature = false;  // the message is the name of what is not supported
};

using Issues = std::vector<Issue>;

// The message, as a sentence where it is a name: "Salvo does not support algebraic rules yet".
std::string sentence_of(const Issue& issue);

// "problem.yaml:3:7: unknown name 'kk1'\n  hint: did you mean 'k1'?"
std::string to_string(const Issue& issue);

}  // namespace salvo
