#include "salvo/read.hpp"

#include <utility>

#include "c/border.hpp"

namespace salvo::c {
namespace {

// What a reader assumed or found odd.
std::string remarks_on(const model::Problem& problem) {
  std::string text = lines_of(problem.warnings);
  for (const std::string& remark : problem.remarks) text += (text.empty() ? "note: " : "\nnote: ") + remark;
  return text;
}

int hand_over(Result<model::Problem> read, salvo_problem** problem) {
  if (!read) return refuse(read.issues());
  remember_warnings(remarks_on(*read));
  *problem = new salvo_problem{std::move(*read)};
  return SALVO_OK;
}

}  // namespace
}  // namespace salvo::c

using namespace salvo;

int salvo_read(const char* path, const char* data, salvo_problem** problem) {
  return c::guarded([&] {
    if (problem == nullptr) return c::refuse_null("problem");
    *problem = nullptr;
    if (path == nullptr) return c::refuse_null("path");
    formats::ReadOptions options;
    if (data != nullptr) options.data = data;
    return c::hand_over(formats::read_problem(path, options), problem);
  });
}

int salvo_read_text(const char* text, const char* name, salvo_problem** problem) {
  return c::guarded([&] {
    if (problem == nullptr) return c::refuse_null("problem");
    *problem = nullptr;
    if (text == nullptr) return c::refuse_null("text");
    return c::hand_over(formats::read_problem_text(text, name == nullptr ? "problem.yaml" : name), problem);
  });
}

void salvo_free_problem(salvo_problem** problem) {
  if (problem == nullptr) return;
  delete *problem;
  *problem = nullptr;
}
