#include "check.h"

static void it_gives_the_table_of_the_program(void) {
  salvo_problem* problem = read_or_stop(DECAY);
  char* csv = NULL;
  CHECK(salvo_simulate(problem, "{\"at\": [0, 2], \"parameters\": {\"k\": 0.25}, \"rtol\": 1e-11}", &csv) == SALVO_OK);
  double at[2] = {0, 0}, x[2] = {0, 0}, seen[2] = {0, 0};
  const int got = csv == NULL ? 0
                              : sscanf(csv, "experiment,time,x,seen default,%lf,%lf,%lf default,%lf,%lf,%lf", &at[0],
                                       &x[0], &seen[0], &at[1], &x[1], &seen[1]);
  CHECK(got == 6 && at[0] == 0 && x[0] == 1 && seen[0] == 1 && at[1] == 2);
  CHECK(fabs(x[1] - exp(-0.5)) < 1e-9 && seen[1] == x[1]); /* x = exp(-k t) */
  salvo_free_string(&csv);
  salvo_free_problem(&problem);
}

static void what_cannot_be_simulated_is_refused(void) {
  salvo_problem* problem = read_or_stop(DECAY);
  char* csv = NULL;
  CHECK_REFUSED(salvo_simulate(NULL, NULL, &csv), SALVO_WRONG_USE, "'problem' is a null pointer");
  CHECK_REFUSED(salvo_simulate(problem, NULL, NULL), SALVO_WRONG_USE, "'csv' is a null pointer");
  CHECK_REFUSED(salvo_simulate(problem, "{\"untill\": 3}", &csv), SALVO_WRONG_USE, "did you mean 'until'?");
  CHECK_REFUSED(salvo_simulate(problem, "{\"at\": [-1]}", &csv), SALVO_WRONG_USE,
                "'at': the time -1 is before the start");
  CHECK_REFUSED(salvo_simulate(problem, "{\"at\": \"soon\"}", &csv), SALVO_WRONG_USE, "'at' wants times");
  CHECK_REFUSED(salvo_simulate(problem, "{\"parameters\": {\"q\": 1}}", &csv), SALVO_WRONG_USE, "'parameters': ");
  CHECK_REFUSED(salvo_simulate(problem, "{\"parameters\": {\"k\": 1}, \"from\": \"x.fit\"}", &csv), SALVO_WRONG_USE,
                "'parameters' and 'from' exclude each other");
  CHECK(csv == NULL);
  salvo_free_problem(&problem);
}

/* From its guess, predator and prey reach infinity at 3.3 (README.md). */
static void what_was_reached_comes_with_the_error(void) {
  salvo_problem* problem = read_or_stop(PREDATOR);
  char* csv = NULL;
  CHECK_REFUSED(salvo_simulate(problem, NULL, &csv), SALVO_NO_NUMBER, "3.3");
  CHECK(csv != NULL && strstr(csv, "experiment,time,") == csv);
  salvo_free_string(&csv);
  salvo_free_problem(&problem);
}

void test_simulating(void) {
  it_gives_the_table_of_the_program();
  what_cannot_be_simulated_is_refused();
  what_was_reached_comes_with_the_error();
}
