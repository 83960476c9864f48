/* What stands between R and <salvo.h>: handles as external pointers, answers as lists. salvo.R compiles and calls it.
 */
#include <R.h>
#include <R_ext/Rdynload.h>
#include <Rinternals.h>
#include <salvo.h>

/* list(code, error, warnings, value): R turns the first three into conditions. */
static SEXP answer(int code, SEXP value) {
  const char* names[] = {"code", "error", "warnings", "value", ""};
  PROTECT(value);
  SEXP list = PROTECT(Rf_mkNamed(VECSXP, names));
  SET_VECTOR_ELT(list, 0, Rf_ScalarInteger(code));
  SET_VECTOR_ELT(list, 1, Rf_ScalarString(Rf_mkCharCE(salvo_last_error(), CE_UTF8)));
  SET_VECTOR_ELT(list, 2, Rf_ScalarString(Rf_mkCharCE(salvo_last_warnings(), CE_UTF8)));
  SET_VECTOR_ELT(list, 3, value);
  UNPROTECT(2);
  return list;
}

/* A text of R in UTF-8, or NULL. */
static const char* text_of(SEXP text) { return Rf_isNull(text) ? NULL : Rf_translateCharUTF8(STRING_ELT(text, 0)); }
/* A path of R as the system spells it, or NULL. */
static const char* path_of(SEXP path) { return Rf_isNull(path) ? NULL : Rf_translateChar(STRING_ELT(path, 0)); }

static void finalize_problem(SEXP handle) {
  salvo_problem* problem = R_ExternalPtrAddr(handle);
  salvo_free_problem(&problem);
  R_ClearExternalPtr(handle);
}

static void finalize_objective(SEXP handle) {
  salvo_objective* objective = R_ExternalPtrAddr(handle);
  salvo_free_objective(&objective);
  R_ClearExternalPtr(handle);
}

/* The handle is made before what it holds, so that nothing is lost if R has no memory for it. */
static SEXP new_handle(const char* kind, R_CFinalizer_t finalize) {
  SEXP handle = PROTECT(R_MakeExternalPtr(NULL, Rf_install(kind), R_NilValue));
  R_RegisterCFinalizerEx(handle, finalize, TRUE);
  return handle;
}

/* Anything else than a handle of this kind is a null pointer, which the library refuses by name. */
static void* held(SEXP handle, const char* kind) {
  const int is_one = TYPEOF(handle) == EXTPTRSXP && R_ExternalPtrTag(handle) == Rf_install(kind);
  return is_one ? R_ExternalPtrAddr(handle) : NULL;
}

SEXP r_salvo_is_there(SEXP handle) {
  const int is_there = TYPEOF(handle) == EXTPTRSXP && R_ExternalPtrAddr(handle) != NULL;
  return answer(SALVO_OK, Rf_ScalarLogical(is_there));
}

SEXP r_salvo_version(void) {
  SEXP value = PROTECT(Rf_allocVector(STRSXP, 1));
  SET_STRING_ELT(value, 0, Rf_mkChar(salvo_version()));
  SEXP list = answer(salvo_abi_version() == SALVO_ABI_VERSION ? SALVO_OK : SALVO_FAILED, value);
  UNPROTECT(1);
  return list;
}

SEXP r_salvo_read(SEXP path, SEXP data) {
  SEXP handle = new_handle("salvo_problem", finalize_problem);
  salvo_problem* problem = NULL;
  const int code = salvo_read(path_of(path), path_of(data), &problem);
  R_SetExternalPtrAddr(handle, problem);
  SEXP list = answer(code, handle);
  UNPROTECT(1);
  return list;
}

SEXP r_salvo_read_text(SEXP text, SEXP name) {
  SEXP handle = new_handle("salvo_problem", finalize_problem);
  salvo_problem* problem = NULL;
  const int code = salvo_read_text(text_of(text), path_of(name), &problem);
  R_SetExternalPtrAddr(handle, problem);
  SEXP list = answer(code, handle);
  UNPROTECT(1);
  return list;
}

/* A text of the library as one of R; freed whether or not R has memory for it is more than R allows to promise. */
static SEXP answer_text(int code, char** text) {
  SEXP value = PROTECT(*text == NULL ? R_NilValue : Rf_ScalarString(Rf_mkCharCE(*text, CE_UTF8)));
  SEXP list = answer(code, value); /* before freeing: it asks for the last error */
  salvo_free_string(text);
  UNPROTECT(1);
  return list;
}

static void check_interrupt(void* unused) {
  (void)unused;
  R_CheckUserInterrupt();
}

/* R leaves a function that is interrupted by a jump, which the library could not bear: it is stopped here. */
static int wants_to_stop(void* unused) {
  (void)unused;
  return R_ToplevelExec(check_interrupt, NULL) == FALSE;
}

SEXP r_salvo_fit(SEXP problem, SEXP options) {
  char* json = NULL;
  const int code = salvo_fit(held(problem, "salvo_problem"), text_of(options), wants_to_stop, NULL, &json);
  return answer_text(code, &json);
}

SEXP r_salvo_simulate(SEXP problem, SEXP options) {
  char* csv = NULL;
  const int code = salvo_simulate(held(problem, "salvo_problem"), text_of(options), &csv);
  return answer_text(code, &csv);
}

SEXP r_salvo_objective(SEXP problem, SEXP options) {
  SEXP handle = new_handle("salvo_objective", finalize_objective);
  salvo_objective* objective = NULL;
  const int code = salvo_make_objective(held(problem, "salvo_problem"), text_of(options), &objective);
  R_SetExternalPtrAddr(handle, objective);
  SEXP list = answer(code, handle);
  UNPROTECT(1);
  return list;
}

/* list(id, scale, lower, upper, guess), a vector for each */
SEXP r_salvo_quantities(SEXP handle) {
  const salvo_objective* objective = held(handle, "salvo_objective");
  const R_xlen_t count = (R_xlen_t)salvo_quantity_count(objective);
  const char* names[] = {"id", "scale", "lower", "upper", "guess", ""};
  SEXP list = PROTECT(Rf_mkNamed(VECSXP, names));
  for (int column = 0; column < 5; ++column)
    SET_VECTOR_ELT(list, column, Rf_allocVector(column < 2 ? STRSXP : REALSXP, count));
  for (R_xlen_t i = 0; i < count; ++i) {
    salvo_quantity quantity;
    if (salvo_get_quantity(objective, (size_t)i, &quantity) != SALVO_OK) break;
    SET_STRING_ELT(VECTOR_ELT(list, 0), i, Rf_mkCharCE(quantity.id, CE_UTF8));
    SET_STRING_ELT(VECTOR_ELT(list, 1), i, Rf_mkChar(quantity.scale));
    REAL(VECTOR_ELT(list, 2))[i] = quantity.lower;
    REAL(VECTOR_ELT(list, 3))[i] = quantity.upper;
    REAL(VECTOR_ELT(list, 4))[i] = quantity.guess;
  }
  salvo_quantity unused;
  SEXP all = answer(count > 0 || objective != NULL ? SALVO_OK : salvo_get_quantity(NULL, 0, &unused), list);
  UNPROTECT(1);
  return all;
}

SEXP r_salvo_value(SEXP handle, SEXP x) {
  SEXP value = PROTECT(Rf_ScalarReal(R_PosInf));
  const int code = salvo_value(held(handle, "salvo_objective"), REAL(x), (size_t)XLENGTH(x), REAL(value));
  SEXP list = answer(code, value);
  UNPROTECT(1);
  return list;
}

SEXP r_salvo_gradient(SEXP handle, SEXP x) {
  SEXP gradient = PROTECT(Rf_allocVector(REALSXP, XLENGTH(x)));
  for (R_xlen_t i = 0; i < XLENGTH(x); ++i) REAL(gradient)[i] = R_NaN;
  const int code = salvo_gradient(held(handle, "salvo_objective"), REAL(x), (size_t)XLENGTH(x), NULL, REAL(gradient));
  SEXP list = answer(code, gradient);
  UNPROTECT(1);
  return list;
}

SEXP r_salvo_rows(SEXP handle, SEXP x) {
  const salvo_objective* objective = held(handle, "salvo_objective");
  const size_t count = salvo_row_count(objective);
  SEXP rows = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)count));
  for (size_t i = 0; i < count; ++i) REAL(rows)[i] = R_NaN;
  const int code = salvo_rows(objective, REAL(x), (size_t)XLENGTH(x), REAL(rows), count);
  SEXP list = answer(code, rows);
  UNPROTECT(1);
  return list;
}

SEXP r_salvo_jacobian(SEXP handle, SEXP x) {
  const salvo_objective* objective = held(handle, "salvo_objective");
  const size_t rows = salvo_row_count(objective), columns = salvo_quantity_count(objective);
  SEXP jacobian = PROTECT(Rf_allocMatrix(REALSXP, (int)rows, (int)columns));
  for (size_t i = 0; i < rows * columns; ++i) REAL(jacobian)[i] = R_NaN;
  const int code = salvo_jacobian(objective, REAL(x), (size_t)XLENGTH(x), NULL, REAL(jacobian), rows);
  SEXP list = answer(code, jacobian);
  UNPROTECT(1);
  return list;
}

static const R_CallMethodDef functions[] = {{"r_salvo_version", (DL_FUNC)&r_salvo_version, 0},
                                            {"r_salvo_read", (DL_FUNC)&r_salvo_read, 2},
                                            {"r_salvo_read_text", (DL_FUNC)&r_salvo_read_text, 2},
                                            {"r_salvo_fit", (DL_FUNC)&r_salvo_fit, 2},
                                            {"r_salvo_simulate", (DL_FUNC)&r_salvo_simulate, 2},
                                            {"r_salvo_objective", (DL_FUNC)&r_salvo_objective, 2},
                                            {"r_salvo_quantities", (DL_FUNC)&r_salvo_quantities, 1},
                                            {"r_salvo_value", (DL_FUNC)&r_salvo_value, 2},
                                            {"r_salvo_gradient", (DL_FUNC)&r_salvo_gradient, 2},
                                            {"r_salvo_rows", (DL_FUNC)&r_salvo_rows, 2},
                                            {"r_salvo_jacobian", (DL_FUNC)&r_salvo_jacobian, 2},
                                            {"r_salvo_is_there", (DL_FUNC)&r_salvo_is_there, 1},
                                            {NULL, NULL, 0}};

void R_init_salvo_r(DllInfo* library) {
  R_registerRoutines(library, NULL, functions, NULL, NULL);
  R_useDynamicSymbols(library, FALSE);
}
