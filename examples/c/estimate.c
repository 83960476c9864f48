/* Estimates the parameters of a problem file, and looks at the objective where the fit ended: estimate PROBLEM */
#include <math.h>
#include <salvo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static volatile sig_atomic_t is_interrupted = 0;

static void interrupt(int signal) { is_interrupted = signal; }

/* Asked while a fit runs; what it has reached by then is the result. */
static int wants_to_stop(void* user) {
  (void)user;
  return is_interrupted != 0;
}

static int tell(const char* what) {
  fprintf(stderr, "%s: %s\n", what, salvo_last_error());
  return 1;
}

/* Steepest descent by hand, in place of an optimiser worth the name. */
static int descend(const salvo_objective* objective) {
  const size_t count = salvo_quantity_count(objective);
  double* x = calloc(count, sizeof *x);
  double* gradient = calloc(count, sizeof *gradient);
  double value = 0, norm = 0;
  salvo_quantity quantity;
  for (size_t i = 0; i < count; ++i) {
    if (salvo_get_quantity(objective, i, &quantity) != SALVO_OK) return tell("quantity");
    x[i] = quantity.guess;
  }
  for (int step = 0; step < 1000; ++step) {
    if (salvo_gradient(objective, x, count, &value, gradient) != SALVO_OK) return tell("gradient");
    norm = 0;
    for (size_t i = 0; i < count; ++i) norm += gradient[i] * gradient[i];
    for (size_t i = 0; i < count; ++i) x[i] -= 1e-5 * gradient[i];
  }
  printf("steepest descent: objective %.4f, gradient %.1e\n", value, sqrt(norm));
  for (size_t i = 0; i < count; ++i)
    if (salvo_get_quantity(objective, i, &quantity) == SALVO_OK) printf("  %s = %.6f\n", quantity.id, x[i]);
  free(gradient);
  free(x);
  return 0;
}

int main(int argc, char** argv) {
  if (argc != 2 || salvo_abi_version() != SALVO_ABI_VERSION) return 1;
  signal(SIGINT, interrupt);

  /* A problem, or every mistake in its files. */
  salvo_problem* problem = NULL;
  if (salvo_read(argv[1], NULL, &problem) != SALVO_OK) return tell("read");
  fputs(salvo_last_warnings(), stderr);

  /* fit.json: how the fit ended is part of it. */
  char* json = NULL;
  if (salvo_fit(problem, "{\"guess\": {\"k\": 2}, \"max-time\": 60}", wants_to_stop, NULL, &json) != SALVO_OK)
    return tell("fit");
  puts(json);

  /* The objective in other hands. */
  salvo_objective* objective = NULL;
  if (salvo_make_objective(problem, NULL, &objective) != SALVO_OK) return tell("objective");
  const int code = descend(objective);

  salvo_free_objective(&objective);
  salvo_free_string(&json);
  salvo_free_problem(&problem);
  return code;
}
