#pragma once

namespace salvo {

// Runs work() on `lanes` numbers at a time, compiled for registers of 256 bits where the processor has them and the
// numbers fill them, and as usual elsewhere. The bits are the same: such registers hold more numbers, and nothing is
// contracted or reordered (-ffp-contract=off). Everything that work() calls must be visible to the compiler, or it
// stays narrow.
#if defined(__x86_64__) && defined(__GNUC__)

template <class Work>
[[gnu::target("avx2"), gnu::flatten, gnu::noinline]] void work_wide(const Work& work) {
  work();
}

template <class Work>
[[gnu::target("avx512f,prefer-vector-width=512"), gnu::flatten, gnu::noinline]] void work_widest(const Work& work) {
  work();
}

template <class Work>
[[gnu::flatten]] void work_narrow(const Work& work) {
  work();
}

// On processors of before 2013, and a few small ones since. To make it as fast as can be would take the compiler as
// long as the wide one does.
template <class Work>
[[gnu::cold, gnu::noinline]] void work_without_wide_registers(const Work& work) {
  work();
}

template <int lanes = 8, class Work>
void with_wide_registers(const Work& work) {
  if constexpr (lanes < 4)
    work_narrow(work);
  else if (__builtin_cpu_supports("avx2"))
    work_wide(work);
  else
    work_without_wide_registers(work);
}

// This one works with registers of 512 bits: for the few loops that take eight numbers at a time and most of the time.
template <int lanes, class Work>
void with_widest_registers(const Work& work) {
  static_assert(lanes % 8 == 0);
  if (__builtin_cpu_supports("avx512f"))
    work_widest(work);
  else
    with_wide_registers<lanes>(work);
}

#else

template <int lanes = 8, class Work>
void with_wide_registers(const Work& work) {
  work();
}

template <int lanes, class Work>
void with_widest_registers(const Work& work) {
  work();
}

#endif

}  // namespace salvo
