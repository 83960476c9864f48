#include "helpers/allocations.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<long> count{0};
std::atomic<long> all_bytes{0};
}  // namespace

namespace salvo::test {
long allocations() { return count; }
long allocated_bytes() { return all_bytes; }
}  // namespace salvo::test

// Both, or what one of them gave would be taken back as if the other had.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  ++count;
  all_bytes += static_cast<long>(bytes);
  return std::malloc(bytes);
}
void* operator new(std::size_t bytes) {
  if (void* memory = operator new(bytes, std::nothrow)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
