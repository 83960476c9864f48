#pragma once

#include <string>
#include <string_view>

#include "base/broken_contract.hpp"
#include "base/issue.hpp"
#include "c/salvo.h"
#include "salvo/objective.hpp"
#include "salvo/problem.hpp"

struct salvo_problem {
  salvo::model::Problem problem;
};
struct salvo_objective {
  salvo::Objective objective;
};

// What passes between C and C++: errors as codes with a text that the thread remembers, texts that the caller frees.
namespace salvo::c {

void forget();
void remember_warnings(std::string_view text);

// The text is remembered, and the code given back.
int refuse(int code, std::string_view text);
// All issues, one below the other, and the code that the worst of them asks for.
int refuse(const Issues& issues);
int refuse_null(const char* name);
// What was just thrown.
int refuse_exception() noexcept;

std::string lines_of(const Issues& issues);

// For the caller, who frees it.
char* copy_of(std::string_view text);

// Nothing that `work` throws goes further than this.
template <class Work>
int guarded(const Work& work) noexcept {
  try {
    const ContractsThrow guard;
    forget();
    return work();
  } catch (...) {
    return refuse_exception();
  }
}

}  // namespace salvo::c
