/* What the tests in C are made of: a check that fails is told with its place, and the program goes on. */
#ifndef CHECK_H
#define CHECK_H

#include <math.h>
#include <salvo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int failures;

#define CHECK(rule)                                              \
  do {                                                           \
    if (!(rule)) {                                               \
      ++failures;                                                \
      printf("%s:%d: expected %s\n", __FILE__, __LINE__, #rule); \
      printf("  the last error is '%s'\n", salvo_last_error());  \
    }                                                            \
  } while (0)

/* That a call is refused with a code and a text that contains some words. */
#define CHECK_REFUSED(call, code, words)                                                          \
  do {                                                                                            \
    const int got = (call);                                                                       \
    if (got != (code) || strstr(salvo_last_error(), (words)) == NULL) {                           \
      ++failures;                                                                                 \
      printf("%s:%d: %s\n  gave %d, '%s'\n", __FILE__, __LINE__, #call, got, salvo_last_error()); \
    }                                                                                             \
  } while (0)

#define DECAY SALVO_SOURCE_DIR "/examples/library/decay.yaml"
#define PREDATOR SALVO_SOURCE_DIR "/examples/lotka-volterra/lotka-volterra.yaml"

salvo_problem* read_or_stop(const char* path);
salvo_objective* objective_or_stop(const salvo_problem* problem, const char* options);

void test_reading(void);
void test_objective(void);
void test_fitting(void);
void test_simulating(void);

#endif
