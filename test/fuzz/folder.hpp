#pragma once

#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace salvo::fuzz {

// A folder in memory for the files of one fuzzer.
class Folder {
 public:
  Folder() {
    const bool has_shm = access("/dev/shm", W_OK) == 0;
    std::string name = std::string(has_shm ? "/dev/shm" : "/tmp") + "/salvo-fuzz-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string path() const { return path_; }
  std::string write(const std::string& name, std::string_view text) const {
    const std::string file = path_ + "/" + name;
    std::ofstream(file, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
    return file;
  }

 private:
  std::string path_;
};

inline std::string_view as_text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// A rule that every input must keep.
inline void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace salvo::fuzz
