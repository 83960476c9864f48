#include <pthread.h>

#include "check.h"

/* The decay of examples/library: y = exp(-t/2) at t = 1 .. 6, seen with sigma = 0.01. */
enum { MEASUREMENTS = 6 };
static const double sigma = 0.01;

static double residual(double k, int t) { return (exp(-k * t) - exp(-0.5 * t)) / sigma; }

static void it_is_the_likelihood_in_closed_form(void) {
  salvo_problem* problem = read_or_stop(DECAY);
  salvo_objective* objective = objective_or_stop(problem, "{\"rtol\": 1e-12, \"atol\": 1e-13}");
  salvo_free_problem(&problem); /* the objective does not need it */
  const double k = 0.7, pi = acos(-1.0);
  double expected = MEASUREMENTS * log(sigma * sqrt(2 * pi)), slope = 0;
  for (int t = 1; t <= MEASUREMENTS; ++t) {
    expected += 0.5 * residual(k, t) * residual(k, t);
    slope += residual(k, t) * -t * exp(-k * t) / sigma;
  }
  double value = 0, with_gradient = 0, gradient = 0, rows[MEASUREMENTS] = {0}, again[MEASUREMENTS] = {0};
  double jacobian[MEASUREMENTS] = {0};
  CHECK(salvo_quantity_count(objective) == 1 && salvo_row_count(objective) == MEASUREMENTS);
  CHECK(salvo_value(objective, &k, 1, &value) == SALVO_OK);
  CHECK(fabs(value - expected) < 1e-8 * fabs(expected));
  CHECK(salvo_gradient(objective, &k, 1, &with_gradient, &gradient) == SALVO_OK);
  CHECK(with_gradient == value && fabs(gradient - slope) < 1e-8 * fabs(slope));
  CHECK(salvo_gradient(objective, &k, 1, NULL, &gradient) == SALVO_OK);
  CHECK(salvo_rows(objective, &k, 1, rows, MEASUREMENTS) == SALVO_OK);
  CHECK(salvo_jacobian(objective, &k, 1, again, jacobian, MEASUREMENTS) == SALVO_OK);
  for (int i = 0; i < MEASUREMENTS; ++i) {
    const int t = i + 1;
    CHECK(fabs(rows[i] - residual(k, t)) < 1e-7 && again[i] == rows[i]);
    CHECK(fabs(jacobian[i] + t * exp(-k * t) / sigma) < 1e-6);
  }
  salvo_free_objective(&objective);
}

/* For two quantities or more it matters which way the numbers of a Jacobian run. */
static void the_jacobian_stands_column_by_column(void) {
  salvo_problem* problem = read_or_stop(PREDATOR);
  salvo_objective* objective = objective_or_stop(problem, "{\"rtol\": 1e-11}");
  const double x[] = {1, 1.01, 0.98, 1, 0.41, 1};
  enum { QUANTITIES = 6 };
  const size_t rows = salvo_row_count(objective);
  double r[64], J[64 * QUANTITIES], above[64], below[64];
  CHECK(salvo_quantity_count(objective) == QUANTITIES && rows > 0 && rows <= 64);
  CHECK(salvo_jacobian(objective, x, QUANTITIES, r, J, rows) == SALVO_OK);
  for (int k = 0; k < QUANTITIES; ++k) {
    double moved[QUANTITIES];
    memcpy(moved, x, sizeof x);
    moved[k] = x[k] + 1e-5;
    CHECK(salvo_rows(objective, moved, QUANTITIES, above, rows) == SALVO_OK);
    moved[k] = x[k] - 1e-5;
    CHECK(salvo_rows(objective, moved, QUANTITIES, below, rows) == SALVO_OK);
    for (size_t i = 0; i < rows; ++i) {
      const double difference = (above[i] - below[i]) / 2e-5;
      CHECK(fabs(J[i + k * rows] - difference) < 1e-4 * (1 + fabs(difference)));
    }
  }
  salvo_free_objective(&objective);
  salvo_free_problem(&problem);
}

static void quantities_have_names_scales_bounds_and_guesses(void) {
  const char* text =
      "equations: {x: -k*x}\n"
      "initial: {x: {guess: 2, bounds: [1, 9]}}\n"
      "parameters: {k: {guess: 0.1, bounds: [0.01, inf], scale: log10}, sd: {guess: 0.1}}\n"
      "observables: {seen: {formula: x, noise: sd}}\n"
      "data: decay.csv\n";
  salvo_problem* problem = NULL;
  CHECK(salvo_read_text(text, SALVO_SOURCE_DIR "/examples/library/text.yaml", &problem) == SALVO_OK);
  salvo_objective* objective = objective_or_stop(problem, "{\"fix\": {\"sd\": 0.01}, \"guess\": {\"x\": 3}}");
  salvo_quantity k, x;
  CHECK(salvo_quantity_count(objective) == 2); /* sd is held */
  CHECK(salvo_get_quantity(objective, 0, &k) == SALVO_OK && salvo_get_quantity(objective, 1, &x) == SALVO_OK);
  CHECK(strcmp(k.id, "k") == 0 && strcmp(k.scale, "log10") == 0);
  CHECK(fabs(k.lower + 2) < 1e-12 && isinf(k.upper) && fabs(k.guess + 1) < 1e-12);
  CHECK(strcmp(x.id, "x") == 0 && strcmp(x.scale, "lin") == 0 && x.lower == 1 && x.upper == 9 && x.guess == 3);
  CHECK_REFUSED(salvo_get_quantity(objective, 2, &x), SALVO_WRONG_USE, "there are 2");
  CHECK_REFUSED(salvo_get_quantity(objective, (size_t)-1, &x), SALVO_WRONG_USE, "there are 2");
  salvo_free_objective(&objective);
  salvo_free_problem(&problem);
}

static void null_pointers_are_refused_by_name(void) {
  salvo_problem* problem = read_or_stop(DECAY);
  salvo_objective *objective = objective_or_stop(problem, NULL), *none = NULL;
  double x = 1, out[MEASUREMENTS];
  salvo_quantity quantity;
  CHECK_REFUSED(salvo_make_objective(NULL, NULL, &none), SALVO_WRONG_USE, "'problem' is a null pointer");
  CHECK_REFUSED(salvo_make_objective(problem, NULL, NULL), SALVO_WRONG_USE, "'objective' is a null pointer");
  CHECK(salvo_quantity_count(NULL) == 0 && salvo_row_count(NULL) == 0);
  CHECK_REFUSED(salvo_get_quantity(NULL, 0, &quantity), SALVO_WRONG_USE, "'objective'");
  CHECK_REFUSED(salvo_get_quantity(objective, 0, NULL), SALVO_WRONG_USE, "'quantity'");
  CHECK_REFUSED(salvo_value(NULL, &x, 1, out), SALVO_WRONG_USE, "'objective'");
  CHECK_REFUSED(salvo_value(objective, NULL, 1, out), SALVO_WRONG_USE, "'x'");
  CHECK_REFUSED(salvo_value(objective, &x, 1, NULL), SALVO_WRONG_USE, "'value'");
  CHECK_REFUSED(salvo_gradient(NULL, &x, 1, NULL, out), SALVO_WRONG_USE, "'objective'");
  CHECK_REFUSED(salvo_gradient(objective, &x, 1, NULL, NULL), SALVO_WRONG_USE, "'gradient'");
  CHECK_REFUSED(salvo_rows(NULL, &x, 1, out, MEASUREMENTS), SALVO_WRONG_USE, "'objective'");
  CHECK_REFUSED(salvo_rows(objective, &x, 1, NULL, MEASUREMENTS), SALVO_WRONG_USE, "'rows'");
  CHECK_REFUSED(salvo_jacobian(NULL, &x, 1, NULL, out, MEASUREMENTS), SALVO_WRONG_USE, "'objective'");
  CHECK_REFUSED(salvo_jacobian(objective, &x, 1, NULL, NULL, MEASUREMENTS), SALVO_WRONG_USE, "'jacobian'");
  salvo_free_objective(&objective);
  salvo_free_problem(&problem);
}

static void wrong_lengths_are_refused(void) {
  salvo_problem* problem = read_or_stop(DECAY);
  salvo_objective* objective = objective_or_stop(problem, NULL);
  double x[2] = {1, 1}, value = 7, out[MEASUREMENTS] = {7, 7, 7, 7, 7, 7};
  CHECK_REFUSED(salvo_value(objective, x, 2, &value), SALVO_WRONG_USE,
                "the length of x is 2, but the objective has 1 quantity");
  CHECK_REFUSED(salvo_value(objective, x, 0, &value), SALVO_WRONG_USE, "the objective has 1 quantity");
  CHECK_REFUSED(salvo_value(objective, x, (size_t)-1, &value), SALVO_WRONG_USE, "the objective has 1 quantity");
  CHECK_REFUSED(salvo_gradient(objective, x, 2, &value, out), SALVO_WRONG_USE, "the objective has 1 quantity");
  CHECK_REFUSED(salvo_rows(objective, x, 1, out, 5), SALVO_WRONG_USE,
                "room for 5 rows is given, but the objective has 6 rows");
  CHECK_REFUSED(salvo_jacobian(objective, x, 1, NULL, out, 7), SALVO_WRONG_USE, "the objective has 6 rows");
  CHECK(value == 7 && out[0] == 7);
  salvo_free_objective(&objective);
  salvo_free_problem(&problem);
}

/* exp(1000*6) is no number, and neither is NaN: the results stay as they were. */
static void where_there_is_no_number_a_sentence_says_so(void) {
  salvo_problem* problem = read_or_stop(DECAY);
  salvo_objective* objective = objective_or_stop(problem, NULL);
  const double wrong[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, -1000};
  for (int i = 0; i < 4; ++i) {
    double value = 7, out[MEASUREMENTS] = {7, 7, 7, 7, 7, 7};
    CHECK_REFUSED(salvo_value(objective, &wrong[i], 1, &value), SALVO_NO_NUMBER, i < 3 ? "the value of k is not" : " ");
    CHECK_REFUSED(salvo_gradient(objective, &wrong[i], 1, &value, out), SALVO_NO_NUMBER, " ");
    CHECK_REFUSED(salvo_rows(objective, &wrong[i], 1, out, MEASUREMENTS), SALVO_NO_NUMBER, " ");
    CHECK_REFUSED(salvo_jacobian(objective, &wrong[i], 1, NULL, out, MEASUREMENTS), SALVO_NO_NUMBER, " ");
    CHECK(value == 7 && out[0] == 7);
  }
  double value = 0;
  const double right = 0.5;
  CHECK(salvo_value(objective, &right, 1, &value) == SALVO_OK && isfinite(value));
  salvo_free_objective(&objective);
  salvo_free_problem(&problem);
}

static void options_of_a_fit_alone_are_refused(void) {
  salvo_problem* problem = read_or_stop(DECAY);
  salvo_objective* objective = NULL;
  CHECK_REFUSED(salvo_make_objective(problem, "{\"starts\": 3}", &objective), SALVO_WRONG_USE,
                "unknown option 'starts'");
  CHECK_REFUSED(salvo_make_objective(problem, "{\"rtl\": 3}", &objective), SALVO_WRONG_USE, "did you mean 'rtol'?");
  CHECK_REFUSED(salvo_make_objective(problem, "{\"fix\": {\"kk\": 1}}", &objective), SALVO_WRONG_USE, "'kk'");
  CHECK(objective == NULL);
  salvo_free_problem(&problem);
}

struct Work {
  const salvo_objective* objective;
  double sum;
  int is_clean; /* another thread's error is not seen here */
};

static void* add_up(void* given) {
  struct Work* work = given;
  for (int i = 0; i < 200; ++i) {
    const double x = 0.3 + 0.001 * i, nan = (double)NAN;
    double value = 0, gradient = 0;
    if (i % 10 == 0) {
      work->is_clean &= salvo_value(work->objective, &nan, 1, &value) == SALVO_NO_NUMBER;
      work->is_clean &= strlen(salvo_last_error()) > 0;
    }
    work->is_clean &= salvo_gradient(work->objective, &x, 1, &value, &gradient) == SALVO_OK;
    work->is_clean &= strcmp(salvo_last_error(), "") == 0;
    work->sum += value + gradient;
  }
  return NULL;
}

static void threads_share_it_and_get_the_same_bits(void) {
  salvo_problem* problem = read_or_stop(DECAY);
  salvo_objective* objective = objective_or_stop(problem, NULL);
  enum { THREADS = 4 };
  pthread_t threads[THREADS];
  struct Work alone = {objective, 0, 1}, work[THREADS];
  add_up(&alone);
  for (int i = 0; i < THREADS; ++i) {
    work[i] = (struct Work){objective, 0, 1};
    CHECK(pthread_create(&threads[i], NULL, add_up, &work[i]) == 0);
  }
  for (int i = 0; i < THREADS; ++i) {
    pthread_join(threads[i], NULL);
    CHECK(work[i].is_clean && work[i].sum == alone.sum);
  }
  salvo_free_objective(&objective);
  salvo_free_problem(&problem);
}

void test_objective(void) {
  it_is_the_likelihood_in_closed_form();
  the_jacobian_stands_column_by_column();
  quantities_have_names_scales_bounds_and_guesses();
  null_pointers_are_refused_by_name();
  wrong_lengths_are_refused();
  where_there_is_no_number_a_sentence_says_so();
  options_of_a_fit_alone_are_refused();
  threads_share_it_and_get_the_same_bits();
}
