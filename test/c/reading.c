#include "check.h"

static void null_pointers_are_refused_by_name(void) {
  salvo_problem* problem = NULL;
  CHECK_REFUSED(salvo_read(NULL, NULL, &problem), SALVO_WRONG_USE, "'path' is a null pointer");
  CHECK_REFUSED(salvo_read(DECAY, NULL, NULL), SALVO_WRONG_USE, "'problem' is a null pointer");
  CHECK_REFUSED(salvo_read_text(NULL, NULL, &problem), SALVO_WRONG_USE, "'text' is a null pointer");
  CHECK_REFUSED(salvo_read_text("", NULL, NULL), SALVO_WRONG_USE, "'problem' is a null pointer");
  CHECK(problem == NULL);
}

static void what_is_freed_twice_is_freed_once(void) {
  salvo_problem* problem = read_or_stop(DECAY);
  salvo_objective* objective = objective_or_stop(problem, NULL);
  char* csv = NULL;
  CHECK(salvo_simulate(problem, NULL, &csv) == SALVO_OK);
  salvo_free_problem(&problem);
  salvo_free_objective(&objective);
  salvo_free_string(&csv);
  CHECK(problem == NULL && objective == NULL && csv == NULL);
  salvo_free_problem(&problem);
  salvo_free_objective(&objective);
  salvo_free_string(&csv);
  salvo_free_problem(NULL);
  salvo_free_objective(NULL);
  salvo_free_string(NULL);
}

static void files_that_cannot_be_read_are_named(void) {
  salvo_problem* problem = (salvo_problem*)&problem; /* it must not keep what it was */
  CHECK_REFUSED(salvo_read("nowhere.yaml", NULL, &problem), SALVO_WRONG_USE, "nowhere.yaml");
  CHECK(problem == NULL);
  CHECK_REFUSED(salvo_read("", NULL, &problem), SALVO_WRONG_USE, "");
  CHECK(strlen(salvo_last_error()) > 0);
  CHECK_REFUSED(salvo_read("/", NULL, &problem), SALVO_WRONG_USE, "/");
  CHECK_REFUSED(salvo_read(DECAY, "no-table.csv", &problem), SALVO_WRONG_USE, "no-table.csv");
  CHECK(problem == NULL);
}

/* Three mistakes in three lines: all are told, with place and hint. */
#define WRONG SALVO_SOURCE_DIR "/examples/library/wrong.yaml"
static void every_mistake_is_told_with_file_line_column_and_hint(void) {
  const char* text =
      "equations:\n"
      "  x: -kk*x\n"
      "initial:\n"
      "  x: 1\n"
      "parameters:\n"
      "  k: {gues: 1}\n"
      "observables:\n"
      "  seen: {formula: y, noise: 0.01}\n"
      "data: decay.csv\n";
  salvo_problem* problem = NULL;
  CHECK_REFUSED(salvo_read_text(text, WRONG, &problem), SALVO_INVALID, WRONG ":2:7: ");
  CHECK(problem == NULL);
  CHECK(strstr(salvo_last_error(), "'kk'") != NULL);
  CHECK(strstr(salvo_last_error(), "hint: did you mean 'k'?") != NULL);
  CHECK(strstr(salvo_last_error(), WRONG ":6:7: ") != NULL);
  CHECK(strstr(salvo_last_error(), "hint: did you mean 'guess'?") != NULL);
  CHECK(strstr(salvo_last_error(), WRONG ":8:19: ") != NULL);
}

static void bytes_that_are_no_problem_are_refused(void) {
  const char* texts[] = {"", "\xff\xfe", "a: [", "- 1\n- 2", "\x1b[31m: 1", "%d%s%n"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    salvo_problem* problem = NULL;
    const int code = salvo_read_text(texts[i], NULL, &problem);
    CHECK(code == SALVO_INVALID || code == SALVO_WRONG_USE);
    CHECK(problem == NULL && strlen(salvo_last_error()) > 0);
    CHECK(strchr(salvo_last_error(), '\x1b') == NULL); /* nothing that a terminal would obey */
  }
}

static void an_error_is_forgotten_by_the_next_call(void) {
  salvo_problem* problem = NULL;
  CHECK_REFUSED(salvo_read("nowhere.yaml", NULL, &problem), SALVO_WRONG_USE, "nowhere");
  problem = read_or_stop(DECAY);
  CHECK(strcmp(salvo_last_error(), "") == 0);
  salvo_free_problem(&problem);
}

/* An observable without noise: it is estimated, and that is said. */
static void what_was_assumed_is_told(void) {
  const char* text =
      "equations: {x: -k*x}\n"
      "initial: {x: 1}\n"
      "parameters: {k: {guess: 1}}\n"
      "observables: {seen: {formula: x}}\n"
      "data: decay.csv\n";
  salvo_problem* problem = NULL;
  CHECK(salvo_read_text(text, SALVO_SOURCE_DIR "/examples/library/text.yaml", &problem) == SALVO_OK);
  CHECK(strstr(salvo_last_warnings(), "note: ") != NULL && strstr(salvo_last_warnings(), "seen") != NULL);
  salvo_free_problem(&problem);
}

void test_reading(void) {
  null_pointers_are_refused_by_name();
  what_is_freed_twice_is_freed_once();
  files_that_cannot_be_read_are_named();
  every_mistake_is_told_with_file_line_column_and_hint();
  bytes_that_are_no_problem_are_refused();
  an_error_is_forgotten_by_the_next_call();
  what_was_assumed_is_told();
}
