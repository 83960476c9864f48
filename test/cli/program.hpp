#pragma once

#include <filesystem>
#include <string>

namespace salvo::test {

// What one run of the program left behind.
struct Outcome {
  int code = 0;
  std::string out{};
  std::string err{};
};

// A folder of its own for a test, removed at its end; the program runs inside it.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  void write(const std::string& name, const std::string& text) const;
  std::string read(const std::string& name) const;
  bool has(const std::string& name) const;
  std::filesystem::path path() const { return path_; }

  // Runs `salvo ARGUMENTS` (words as in a shell). `before` goes in front of it: an environment variable, or another
  // program that starts it.
  Outcome salvo(const std::string& arguments, const std::string& before = {}) const;
  // The same on a terminal; what would be seen there is all in `out`.
  Outcome salvo_on_terminal(const std::string& arguments, const std::string& before = {}) const;
  // The same, sent a signal after its first words on standard error, however long the machine takes to get there.
  Outcome salvo_interrupted(const std::string& arguments, const std::string& signal) const;

 private:
  Outcome shell(const std::string& command) const;

  std::filesystem::path path_;
};

// x' = -k x with x(0) = 1 and exact data of k = 0.5, as decay.yaml and decay.csv.
void write_decay(const Folder& folder);

}  // namespace salvo::test
