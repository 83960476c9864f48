/* Salvo from C, and from every language that can call C.
 *
 *   salvo_problem* problem = NULL;
 *   char* json = NULL;
 *   if (salvo_read("decay.yaml", NULL, &problem) == SALVO_OK &&
 *       salvo_fit(problem, "{\"starts\": 20}", NULL, NULL, &json) == SALVO_OK)
 *     puts(json);
 *   else
 *     fputs(salvo_last_error(), stderr);
 *   salvo_free_string(&json);
 *   salvo_free_problem(&problem);
 *
 * Functions that can fail return SALVO_OK or one of the codes below, and salvo_last_error() then says why. Nothing
 * throws, nothing ends the process, and nothing is printed. A problem or an objective never changes: several threads
 * may use one at a time, as long as none of them frees it. All texts are UTF-8 and end with a zero.
 *
 * docs/c.md tells more.
 */
#ifndef SALVO_H
#define SALVO_H

#include <stddef.h>

#if defined(__GNUC__)
#define SALVO_API __attribute__((visibility("default")))
#else
#define SALVO_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* A program that was compiled with one number may call a library that gives the same one. It changes when a function
 * of this header changes; functions may be added without. */
#define SALVO_ABI_VERSION 1
SALVO_API int salvo_abi_version(void);
SALVO_API const char* salvo_version(void); /* "0.1.0" */

enum {
  SALVO_OK = 0,
  SALVO_WRONG_USE = 1,   /* a null pointer, a wrong length, an option that does not exist, a file that cannot be read */
  SALVO_INVALID = 2,     /* the problem is wrong: every mistake is told, with file, line, column and hint */
  SALVO_UNSUPPORTED = 3, /* the problem is right, but Salvo cannot do it */
  SALVO_NO_NUMBER = 4,   /* the numbers do not work out, as where a trajectory does not reach its end */
  SALVO_FAILED = 5       /* the machine failed: no memory, no disk */
};

/* Why the last call on this thread failed, or "". It stands until the next call on this thread. */
SALVO_API const char* salvo_last_error(void);
/* What the last call on this thread had to remark, a line or more for each, or "". */
SALVO_API const char* salvo_last_warnings(void);

typedef struct salvo_problem salvo_problem;
typedef struct salvo_objective salvo_objective;

/* Reads a problem file, or that of a PEtab problem, with all that it names. Where `data` is not NULL it names a table
 * that takes the place of the one in the file. */
SALVO_API int salvo_read(const char* path, const char* data, salvo_problem** problem);
/* Reads the text of a problem file. Messages call it `name` (NULL: problem.yaml), and its tables are looked for in the
 * folder of that. */
SALVO_API int salvo_read_text(const char* text, const char* name, salvo_problem** problem);

/* Options are a JSON object with the names that the options of the program have, or NULL:
 *   {"starts": 20, "max-time": 60, "guess": {"k": 0.5}, "only": ["low", "high"], "nodes": "measurements"}
 * A value may be a number, a text as on the command line, a list, or an object with a number for each name. */

/* Asked about twenty times a second, on the thread that called salvo_fit, whether to stop; it must return. */
typedef int (*salvo_stop)(void* user);

/* Estimates what the problem leaves open. `json` is what `salvo fit` writes as fit.json, byte for byte but for seconds:
 * its `status` and `message` say how the fit ended. Where `stop` (which may be NULL) asks for it, that is what was
 * reached, status "interrupted", or of several starts the best that was finished.
 * Options: all of `salvo fit` but json, quiet, verbose (nothing is printed) and data (of salvo_read). The folder of
 * results is written if "out" names it; if it then cannot be, the code says so, and `json` is there all the same. */
SALVO_API int salvo_fit(const salvo_problem* problem, const char* options, salvo_stop stop, void* user, char** json);

/* Trajectories as the table that `salvo simulate` prints. Options: at, until, parameters, from, integrator, rtol, atol.
 * With SALVO_NO_NUMBER `csv` holds what was reached. */
SALVO_API int salvo_simulate(const salvo_problem* problem, const char* options, char** csv);

/* The negative logarithm of likelihood times prior, as a function of the quantities that are to be estimated:
 * parameters, then initial values, each on its scale. The problem may be freed before it.
 * Options: fix, guess, from, only, integrator, rtol, atol, memory. Constraints other than bounds are left to you. */
SALVO_API int salvo_make_objective(const salvo_problem* problem, const char* options, salvo_objective** objective);

typedef struct {
  const char* id;    /* "k", "x" or "experiment:x"; it lives as long as the objective */
  const char* scale; /* "lin", "log" or "log10" */
  double lower;      /* bounds and guess, on the scale; bounds may be infinite */
  double upper;
  double guess;
} salvo_quantity;
SALVO_API size_t salvo_quantity_count(const salvo_objective* objective); /* 0 of NULL */
SALVO_API size_t salvo_row_count(const salvo_objective* objective);
SALVO_API int salvo_get_quantity(const salvo_objective* objective, size_t index, salvo_quantity* quantity);

/* At the point x of `count` = salvo_quantity_count numbers. Whatever these give is finite; where there is no number the
 * code says so, and the results are left as they were. */
SALVO_API int salvo_value(const salvo_objective* objective, const double* x, size_t count, double* value);
/* With a gradient of `count` numbers; `value` may be NULL. */
SALVO_API int salvo_gradient(const salvo_objective* objective, const double* x, size_t count, double* value,
                             double* gradient);
/* Rows r, of which there are `row_count` = salvo_row_count, with J'r = gradient: for normal noise of known size they
 * are the residuals in sigmas. */
SALVO_API int salvo_rows(const salvo_objective* objective, const double* x, size_t count, double* rows,
                         size_t row_count);
/* J = dr/dx, column by column: row_count numbers for each quantity. `rows` may be NULL. */
SALVO_API int salvo_jacobian(const salvo_objective* objective, const double* x, size_t count, double* rows,
                             double* jacobian, size_t row_count);

/* Each frees what the pointer points to and makes it NULL, so that it may be freed again; NULL is fine. */
SALVO_API void salvo_free_problem(salvo_problem** problem);
SALVO_API void salvo_free_objective(salvo_objective** objective);
SALVO_API void salvo_free_string(char** text);

#ifdef __cplusplus
}
#endif

#endif
