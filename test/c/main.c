#include "check.h"

int failures = 0;

salvo_problem* read_or_stop(const char* path) {
  salvo_problem* problem = NULL;
  if (salvo_read(path, NULL, &problem) == SALVO_OK) return problem;
  printf("%s cannot be read: %s\n", path, salvo_last_error());
  exit(1);
}

salvo_objective* objective_or_stop(const salvo_problem* problem, const char* options) {
  salvo_objective* objective = NULL;
  if (salvo_make_objective(problem, options, &objective) == SALVO_OK) return objective;
  printf("there is no objective: %s\n", salvo_last_error());
  exit(1);
}

static void the_library_is_that_of_the_header(void) {
  CHECK(salvo_abi_version() == SALVO_ABI_VERSION);
  CHECK(strcmp(salvo_version(), SALVO_VERSION) == 0);
}

int main(void) {
  the_library_is_that_of_the_header();
  test_reading();
  test_objective();
  test_fitting();
  test_simulating();
  if (failures > 0) printf("%d checks failed\n", failures);
  return failures > 0;
}
