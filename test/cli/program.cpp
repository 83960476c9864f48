#include "cli/program.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace salvo::test {
namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

Folder::Folder() {
  static int count = 0;
  path_ = std::filesystem::path(SALVO_BINARY_DIR) / "test-folders" /
          (std::to_string(getpid()) + "-" + std::to_string(count++));
  std::filesystem::create_directories(path_);
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void Folder::write(const std::string& name, const std::string& text) const {
  std::ofstream(path_ / name, std::ios::binary) << text;
}

std::string Folder::read(const std::string& name) const { return text_of(path_ / name); }

bool Folder::has(const std::string& name) const { return std::filesystem::exists(path_ / name); }

Outcome Folder::shell(const std::string& command) const {
  const std::string line = "cd '" + path_.string() + "' && { " + command + "; } >.out 2>.err </dev/null";
  const int status = std::system(line.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read(".out"), read(".err")};
}

Outcome Folder::salvo(const std::string& arguments, const std::string& before) const {
  return shell(before + " '" SALVO_PROGRAM "' " + arguments);
}

Outcome Folder::salvo_on_terminal(const std::string& arguments, const std::string& before) const {
  write(".run", before + " '" SALVO_PROGRAM "' " + arguments + "\n");
  return shell("TERM=xterm script -qec 'sh .run' /dev/null");
}

Outcome Folder::salvo_interrupted(const std::string& arguments, const std::string& signal) const {
  return shell("'" SALVO_PROGRAM "' " + arguments +
               " & for i in $(seq 600); do [ -s .err ] && break; sleep 0.1; done; kill -s " + signal + " $!; wait $!");
}

void write_decay(const Folder& folder) {
  folder.write("decay.yaml",
               "equations:\n  x: -k*x\n"
               "initial:\n  x: 1\n"
               "parameters:\n  k: {guess: 1}\n"
               "observables:\n  seen: {formula: x, noise: 0.01}\n"
               "data: decay.csv\n");
  std::ostringstream data;
  data.precision(17);
  data << "time,seen\n";
  for (int t = 1; t <= 6; ++t) data << t << "," << std::exp(-0.5 * t) << "\n";
  folder.write("decay.csv", data.str());
}

}  // namespace salvo::test
