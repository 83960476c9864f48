#include "c/border.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <system_error>

#include "report/display_text.hpp"

namespace salvo::c {
namespace {

struct Memory {
  std::string error{};
  std::string warnings{};
  const char* without_memory = nullptr;  // said in place of the error where there was no room for it
};
thread_local Memory memory;

int code_of(const Issues& issues) {
  const auto worst =
      std::min_element(issues.begin(), issues.end(), [](const Issue& a, const Issue& b) { return a.kind < b.kind; });
  if (worst->kind == Issue::Kind::unreadable) return SALVO_WRONG_USE;
  return worst->kind == Issue::Kind::invalid ? SALVO_INVALID : SALVO_UNSUPPORTED;
}

}  // namespace

void forget() { memory = {}; }

void remember_warnings(std::string_view text) { memory.warnings = report::printable_lines(text); }

int refuse(int code, std::string_view text) {
  memory.error = report::printable_lines(text);
  return code;
}

int refuse(const Issues& issues) { return refuse(code_of(issues), lines_of(issues)); }

int refuse_null(const char* name) { return refuse(SALVO_WRONG_USE, fmt::format("'{}' is a null pointer", name)); }

int refuse_exception() noexcept {
  try {
    try {
      throw;
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::length_error&) {  // more than any memory could hold
      throw std::bad_alloc();
    } catch (const std::filesystem::filesystem_error& failure) {
      return refuse(SALVO_FAILED,
                    fmt::format("'{}' cannot be used: {}", failure.path1().string(), failure.code().message()));
    } catch (const std::system_error& failure) {
      return refuse(SALVO_FAILED, fmt::format("the system refused: {}", failure.code().message()));
    } catch (const std::exception& failure) {
      return refuse(SALVO_FAILED, failure.what());
    } catch (...) {
      return refuse(SALVO_FAILED, "something was thrown that Salvo does not know");
    }
  } catch (...) {
    memory.without_memory = "the memory is exhausted";
    return SALVO_FAILED;
  }
}

std::string lines_of(const Issues& issues) {
  std::string text;
  for (const Issue& issue : issues) text += (text.empty() ? "" : "\n") + to_string(issue);
  return text;
}

char* copy_of(std::string_view text) {
  auto* copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy == nullptr) throw std::bad_alloc();
  std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = '\0';
  return copy;
}

}  // namespace salvo::c

const char* salvo_last_error(void) {
  const auto& memory = salvo::c::memory;
  return memory.without_memory != nullptr ? memory.without_memory : memory.error.c_str();
}

const char* salvo_last_warnings(void) { return salvo::c::memory.warnings.c_str(); }
