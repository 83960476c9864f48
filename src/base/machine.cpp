#include "base/machine.hpp"

#include <gnu/libc-version.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <thread>

namespace salvo {

std::string instruction_set() {
  std::string text;
#if defined(__x86_64__) && defined(__GNUC__)
  text = "x86-64";
  if (__builtin_cpu_supports("avx2")) text += " avx2";
  if (__builtin_cpu_supports("fma")) text += " fma";  // elementary functions have ways of their own with it
  if (__builtin_cpu_supports("avx512f")) text += " avx512";
#elif defined(__aarch64__)
  text = "aarch64";
#else
  text = "another";
#endif
  return text + ", C library " + gnu_get_libc_version();
}

int usable_cores() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return std::max(1, CPU_COUNT(&allowed));
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));  // more cores than such a set has places
}

// As part of the name of a file.
std::string host_name() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "host";
  std::string text(name.data());
  for (char& letter : text)
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0 && letter != '-' && letter != '.') letter = '-';
  return text.empty() || text.front() == '.' ? "host" : text;
}

}  // namespace salvo
