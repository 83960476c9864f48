#pragma once

#include <string>

// The machine that the program runs on, as far as results or their speed depend on it.
namespace salvo {

// What arithmetic rests on: the widest registers, fused operations, and the library of elementary functions. Machines
// of which this is the same compute the same bits.
std::string instruction_set();

// Cores that this process may run on: fewer than the machine has where a scheduler has bound it.
int usable_cores();

std::string host_name();

}  // namespace salvo
