# Salvo from R: source("PREFIX/share/salvo/r/salvo.R"), where PREFIX is the folder that Salvo was installed into.
#
#   problem <- salvo_read("predator.yaml")
#   fit <- salvo_fit(problem, starts = 20, guess = c(p1 = 1))
#   as.data.frame(fit)                      # estimates, standard errors, intervals
#   plot(fit)                               # curves with bands, and data
#   f <- salvo_objective(problem)           # for optim, nlminb, nls.lm, samplers
#   optim(f$start, f$value, f$gradient, method = "BFGS")
#
# It needs jsonlite, and at the first use a compiler of C (R CMD SHLIB). docs/r.md tells more.

.salvo <- new.env()
# The folder of this file, as source() knows it; with chdir = TRUE that is where R stands.
.salvo$home <- local({
  files <- as.character(unlist(lapply(sys.frames(), function(frame) frame$ofile)))
  folders <- c(rev(dirname(files)), getwd())
  folders <- folders[file.exists(file.path(folders, "salvo_r.c"))]
  if (length(folders)) normalizePath(folders[1]) else NULL
})

# --- Finding and loading the library ------------------------------------------------------------------------------

# The folder that Salvo was installed into: as stated, by SALVO_PREFIX, around this file, or around the program.
.salvo_prefix <- function(prefix = NULL) {
  program <- Sys.which("salvo")
  places <- c(prefix, if (is.null(prefix)) c(Sys.getenv("SALVO_PREFIX"),
                                             if (!is.null(.salvo$home)) file.path(.salvo$home, "..", "..", ".."),
                                             if (nzchar(program)) dirname(dirname(normalizePath(program)))))
  for (place in places[nzchar(places)])
    if (file.exists(file.path(place, "include", "salvo.h"))) return(normalizePath(place))
  stop("Salvo is not found: there is no include/salvo.h in ", paste0("'", places[nzchar(places)], "'", collapse = ", "),
       "; install it (make install PREFIX=...) and say salvo_load(PREFIX)", call. = FALSE)
}

# Compiles salvo_r.c, which stands beside this file, and gives back the library that R can load.
.salvo_compile <- function(prefix, library, to) {
  source <- file.path(c(.salvo$home, file.path(prefix, "share", "salvo", "r")), "salvo_r.c")
  source <- source[file.exists(source)]
  if (!length(source)) stop("salvo_r.c is not found beside salvo.R", call. = FALSE)
  folder <- tempfile("salvo")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  file.copy(source[1], folder)
  said <- suppressWarnings(system2(
    file.path(R.home("bin"), "R"), c("CMD", "SHLIB", shQuote(file.path(folder, "salvo_r.c"))), stdout = TRUE, stderr = TRUE,
    env = c(paste0("PKG_CPPFLAGS=", shQuote(sprintf('-I"%s"', file.path(prefix, "include")))),
            paste0("PKG_LIBS=", shQuote(sprintf('-L"%1$s" -Wl,-rpath,"%1$s" -lsalvo', dirname(library)))))))
  built <- file.path(folder, paste0("salvo_r", .Platform$dynlib.ext))
  if (!file.exists(built))
    stop("salvo_r.c cannot be compiled (Debian: apt-get install gcc make r-base-core):\n", paste(said, collapse = "\n"),
         call. = FALSE)
  dir.create(dirname(to), recursive = TRUE, showWarnings = FALSE)
  # Another R may do the same at the same time: whoever is last puts a whole file in place of a whole file.
  half <- tempfile("half", dirname(to))
  if (!file.copy(built, half) || !file.rename(half, to)) stop("'", to, "' cannot be written", call. = FALSE)
}

# Loads the library below `prefix`. Other functions call it when it has not been called.
salvo_load <- function(prefix = NULL) {
  if (!requireNamespace("jsonlite", quietly = TRUE))
    stop("Salvo needs the package jsonlite (Debian: apt-get install r-cran-jsonlite)", call. = FALSE)
  prefix <- .salvo_prefix(prefix)
  libraries <- Sys.glob(file.path(prefix, c("lib", "lib64", "lib/*"), "libsalvo.so"))
  if (!length(libraries)) stop("there is no libsalvo.so below '", prefix, "'", call. = FALSE)
  # One for each R, library and version of the code between them.
  key <- file.path(tempdir(), "salvo-key")
  writeLines(c(R.version.string, R.version$platform, prefix,
               tools::md5sum(Sys.glob(c(file.path(prefix, "include", "salvo.h"), file.path(.salvo$home, "salvo_r.c"))))), key)
  cache <- tools::R_user_dir("salvo", "cache")
  if (file.access(dirname(cache), 2) != 0 && !dir.exists(cache) && !dir.create(cache, recursive = TRUE, showWarnings = FALSE))
    cache <- tempdir()
  shim <- file.path(cache, tools::md5sum(key), paste0("salvo_r", .Platform$dynlib.ext))
  if (!file.exists(shim)) .salvo_compile(prefix, libraries[1], shim)
  .salvo$library <- dyn.load(shim)
  .salvo$prefix <- prefix
  invisible(.salvo_call("r_salvo_version"))
}

# What the library answers; what it refuses is an error of class salvo_error, with the code of <salvo.h>.
.salvo_call <- function(name, ..., accept = 0L) {
  if (is.null(.salvo$library)) salvo_load()
  answer <- .Call(getNativeSymbolInfo(name, .salvo$library)$address, ...)
  if (nzchar(answer$warnings)) warning(answer$warnings, call. = FALSE)
  if (!answer$code %in% c(0L, accept)) {
    if (!nzchar(answer$error)) answer$error <- "this is another version of Salvo than salvo.R is written for"
    stop(structure(list(message = answer$error, call = NULL, code = answer$code, value = answer$value),
                   class = c("salvo_error", "error", "condition")))
  }
  .salvo$reason <- answer$error
  answer$value
}

.salvo_text <- function(text, what) {
  if (is.null(text)) return(NULL)
  if (!is.character(text) || length(text) != 1 || is.na(text)) stop("'", what, "' is not one text", call. = FALSE)
  text
}

# max_time = 60, guess = c(k = 0.5) as the JSON object that the library reads.
.salvo_options <- function(...) {
  options <- list(...)
  if (length(options) && (is.null(names(options)) || any(!nzchar(names(options)))))
    stop("options have names, as in starts = 20", call. = FALSE)
  names(options) <- gsub("_", "-", names(options))
  options <- Filter(function(value) !is.null(value) && !(is.list(value) && !length(value)), options)
  for (name in names(options)) {
    value <- options[[name]]
    if (!(is.numeric(value) || is.character(value) || is.logical(value) || is.list(value)) || is.factor(value) ||
        anyNA(unlist(value)))
      stop("'", name, "' is not a number, a text, or a vector of these without NA", call. = FALSE)
    if (!is.null(names(value))) value <- as.list(value)
    options[[name]] <- .salvo_exact(value)
  }
  if (!length(options)) return(NULL)
  as.character(jsonlite::toJSON(options, auto_unbox = TRUE))
}

# Numbers as texts with all their digits, of which JSON would lose the last.
.salvo_exact <- function(value) {
  if (is.list(value)) return(lapply(value, .salvo_exact))
  if (is.numeric(value)) sprintf("%.17g", value) else value
}

# --- Problems -----------------------------------------------------------------------------------------------------

# A problem file, or that of a PEtab problem; `data` names a table in place of the one in the file.
salvo_read <- function(path, data = NULL) {
  if (is.null(path)) stop("'path' is missing", call. = FALSE)
  handle <- .salvo_call("r_salvo_read", .salvo_file(path, "path"), .salvo_file(data, "data"))
  structure(list(handle = handle, file = path, data = data), class = "salvo_problem")
}

# The text of a problem file; its tables are looked for in the folder of `name`.
salvo_read_text <- function(text, name = "problem.yaml") {
  handle <- .salvo_call("r_salvo_read_text", .salvo_text(paste(text, collapse = "\n"), "text"), .salvo_file(name, "name"))
  structure(list(handle = handle, file = name), class = "salvo_problem")
}

.salvo_file <- function(path, what) {
  path <- .salvo_text(path, what)
  if (is.null(path)) NULL else path.expand(path)
}

.salvo_handle <- function(problem) {
  if (is.character(problem)) problem <- salvo_read(problem)
  if (!inherits(problem, "salvo_problem")) stop("this is neither a problem nor the path of one", call. = FALSE)
  .salvo_alive(problem$handle)
}

# What was saved by one session of R is a pointer to nothing in another.
.salvo_alive <- function(handle) {
  if (!.salvo_call("r_salvo_is_there", handle)) stop("this was made by another session of R; read it again", call. = FALSE)
  handle
}

print.salvo_problem <- function(x, ...) {
  quantities <- tryCatch(salvo_objective(x)$quantities, salvo_error = function(e) NULL)
  cat("Salvo problem ", x$file, "\n", sep = "")
  if (!is.null(quantities)) cat("to be estimated: ", paste(quantities$id, collapse = ", "), "\n", sep = "")
  invisible(x)
}

# Trajectories of states and observables: at = times, until = T, parameters = c(k = 0.5), from = folder or fit, rtol, ...
salvo_simulate <- function(problem, ..., from = NULL) {
  if (inherits(from, "salvo_fit")) from <- from$folder
  csv <- .salvo_call("r_salvo_simulate", .salvo_handle(problem), .salvo_options(..., from = from))
  utils::read.csv(text = csv, check.names = FALSE)
}

# --- Fits ---------------------------------------------------------------------------------------------------------

# Options are those of `salvo fit`, with _ for -: starts = 20, max_time = 60, guess = c(p1 = 1), fix = c(p2 = 1), ...
# The results are in the folder `out` (NULL: one that R removes in the end) as the program writes them. An interrupt (Ctrl-C) ends the fit with what it has.
salvo_fit <- function(problem, ..., from = NULL, out = NULL) {
  if (inherits(from, "salvo_fit")) from <- from$folder
  out <- if (is.null(out)) tempfile("salvo-", fileext = ".fit") else .salvo_file(out, "out")
  json <- .salvo_call("r_salvo_fit", .salvo_handle(problem), .salvo_options(..., from = from, out = out))
  .salvo_fit_of(json, out)
}

# A fit that was written before, by R or by the program.
salvo_open <- function(folder) {
  file <- file.path(folder, "fit.json")
  if (!file.exists(file)) stop("there is no ", file, "; name the folder that a fit wrote", call. = FALSE)
  .salvo_fit_of(paste(readLines(file, encoding = "UTF-8"), collapse = "\n"), folder)
}

.salvo_fit_of <- function(json, folder) {
  result <- jsonlite::fromJSON(json, simplifyVector = FALSE)
  structure(list(status = result$status, message = result$message, objective = .salvo_number(result$objective),
                 result = result, json = json, folder = normalizePath(folder)), class = "salvo_fit")
}

# JSON has null for what does not exist, and texts for what is not finite.
.salvo_number <- function(value) if (is.null(value)) NA_real_ else as.numeric(value)

.salvo_rows <- function(entries, kind) {
  column <- function(name) vapply(entries, function(entry) .salvo_number(entry[[name]]), 0)
  end <- function(i) vapply(entries, function(entry) {
    if (length(entry$interval) == 2) .salvo_number(entry$interval[[i]]) else NA_real_
  }, 0)
  text <- function(name) vapply(entries, function(entry) as.character(c(entry[[name]], NA)[[1]]), "")
  data.frame(id = text("id"), kind = rep(kind, length(entries)), experiment = text("experiment"),
             estimate = column("estimate"), standard_error = column("standard_error"), lower = end(1), upper = end(2),
             scale = text("scale"), at_bound = text("at_bound"), identifiable = as.logical(text("identifiable")),
             stringsAsFactors = FALSE)
}

# Estimates, a row for each parameter, initial value and derived quantity.
as.data.frame.salvo_fit <- function(x, ...) {
  rbind(.salvo_rows(x$result$parameters, "parameter"), .salvo_rows(x$result$initial, "initial value"),
        .salvo_rows(x$result$derived, "derived"))
}

coef.salvo_fit <- function(object, ...) {
  rows <- as.data.frame(object)
  rows <- rows[rows$kind != "derived", ]
  several <- length(unique(rows$experiment[rows$kind == "initial value"])) > 1
  ids <- ifelse(several & rows$kind == "initial value", paste0(rows$experiment, ":", rows$id), rows$id)
  stats::setNames(rows$estimate, ids)
}

vcov.salvo_fit <- function(object, ...) {
  ids <- unlist(object$result$covariance$ids)
  matrix(vapply(unlist(object$result$covariance$matrix, recursive = FALSE), .salvo_number, 0), length(ids), length(ids),
         dimnames = list(ids, ids))
}

logLik.salvo_fit <- function(object, ...) {
  llh <- .salvo_number(object$result$llh)
  structure(llh, df = .salvo_number(object$result$aic) / 2 + llh, nobs = object$result$measurements, class = "logLik")
}

nobs.salvo_fit <- function(object, ...) object$result$measurements

# A table of the folder: "trajectories", "residuals", "bands", "starts", "profiles".
salvo_table <- function(fit, name) {
  file <- file.path(fit$folder, paste0(name, ".csv"))
  if (!file.exists(file)) stop("this fit has no ", basename(file), call. = FALSE)
  utils::read.csv(file, check.names = FALSE)
}

print.salvo_fit <- function(x, digits = 4, ...) {
  rows <- as.data.frame(x)
  cat(x$result$title, if (nzchar(x$result$title)) "\n\n", sep = "")
  several <- length(unique(rows$experiment[!is.na(rows$experiment)])) > 1
  shown <- rows[c("id", if (several) "experiment", "estimate", "standard_error", "lower", "upper")]
  print(shown, digits = digits, row.names = FALSE)
  cat("\nchi2 ", format(.salvo_number(x$result$chi2), digits = digits), ", log-likelihood ",
      format(.salvo_number(x$result$llh), digits = digits), "\n", x$message, "\n", sep = "")
  invisible(x)
}

# The observables of every experiment: curves, bands in which they lie with 95 %, and data.
plot.salvo_fit <- function(x, experiments = NULL, ...) {
  curves <- salvo_table(x, "bands")
  data <- salvo_table(x, "residuals")
  if (!is.null(experiments)) {
    unknown <- setdiff(experiments, data$experiment)
    if (length(unknown)) stop("there is no experiment '", unknown[1], "'", call. = FALSE)
    data <- data[data$experiment %in% experiments, ]
  }
  panels <- unique(data[c("experiment", "observable")])
  columns <- ceiling(sqrt(nrow(panels)))
  before <- graphics::par(mfrow = c(ceiling(nrow(panels) / columns), columns), mar = c(4, 4, 2, 1))
  on.exit(graphics::par(before))
  for (i in seq_len(nrow(panels))) {
    of <- function(table) table[table$experiment == panels$experiment[i] & table$observable == panels$observable[i], ]
    .salvo_panel(of(curves), of(data), panels[i, ], several = length(unique(panels$experiment)) > 1, ...)
  }
  invisible(x)
}

.salvo_panel <- function(curve, data, panel, several, ...) {
  finite <- function(values) values[is.finite(values)]
  measured <- is.finite(data$time)
  graphics::plot(range(finite(c(curve$time, data$time))),
                 range(finite(c(curve$value, curve$lower, curve$upper, data$value))), type = "n", xlab = "time",
                 ylab = panel$observable, main = if (several) panel$experiment else "", ...)
  with_band <- is.finite(curve$lower) & is.finite(curve$upper)
  graphics::polygon(c(curve$time[with_band], rev(curve$time[with_band])),
                    c(curve$lower[with_band], rev(curve$upper[with_band])), col = "#1f77b433", border = NA)
  graphics::lines(curve$time, curve$value, col = "#1f77b4", lwd = 2)
  graphics::points(data$time[measured], data$value[measured], pch = ifelse(data$set[measured] == "fit", 19, 1))
}

# --- The objective in other hands ---------------------------------------------------------------------------------

# The negative logarithm of likelihood times prior. Functions of a vector with a number for each of `quantities`, on its scale:
# value (Inf where there is none), gradient, rows (J'r = gradient), jacobian; why() says why there was no number.
# Options: fix, guess, from, only, integrator, rtol, atol, memory.
salvo_objective <- function(problem, ..., from = NULL) {
  if (inherits(from, "salvo_fit")) from <- from$folder
  handle <- .salvo_call("r_salvo_objective", .salvo_handle(problem), .salvo_options(..., from = from))
  quantities <- as.data.frame(.salvo_call("r_salvo_quantities", handle), stringsAsFactors = FALSE)
  at <- function(name) function(x) .salvo_call(name, .salvo_alive(handle), .salvo_point(x, quantities$id), accept = 4L)
  named <- function(values) stats::setNames(values, quantities$id)
  gradient <- at("r_salvo_gradient")
  jacobian <- at("r_salvo_jacobian")
  structure(list(quantities = quantities, start = named(quantities$guess), lower = named(quantities$lower),
                 upper = named(quantities$upper), value = at("r_salvo_value"), gradient = function(x) named(gradient(x)),
                 rows = at("r_salvo_rows"),
                 jacobian = function(x) {
                   J <- jacobian(x)
                   colnames(J) <- quantities$id
                   J
                 },
                 values = function(x) named(.salvo_from_scale(x, quantities$scale)), why = function() .salvo$reason),
            class = "salvo_objective")
}

.salvo_point <- function(x, ids) {
  if (!is.numeric(x)) stop("the point is not a vector of numbers", call. = FALSE)
  if (!is.null(names(x)) && !identical(names(x), ids)) {
    if (!setequal(names(x), ids)) stop("the names of the point are not ", paste(ids, collapse = ", "), call. = FALSE)
    x <- x[ids]
  }
  as.double(x)
}

# From the scales of an objective to the numbers of the model.
.salvo_from_scale <- function(x, scale) ifelse(scale == "log", exp(x), ifelse(scale == "log10", 10^x, x))

print.salvo_objective <- function(x, ...) {
  cat("Salvo objective of", nrow(x$quantities), "quantities\n")
  print(x$quantities, row.names = FALSE)
  invisible(x)
}

# --- The program --------------------------------------------------------------------------------------------------

# Any command that has --json, and its object as a list: salvo_command("profile", "predator.yaml", parameters = "p1").
salvo_command <- function(command, ...) {
  if (is.null(.salvo$prefix)) salvo_load()
  words <- list(...)
  if (is.null(names(words))) names(words) <- rep("", length(words))
  typed <- function(name, value) {
    if (!is.null(names(value))) value <- paste0(names(value), "=", vapply(value, format, "", digits = 17))
    if (identical(value, TRUE)) value <- NULL
    c(if (nzchar(name)) paste0("--", gsub("_", "-", name)), if (!is.null(value)) paste(value, collapse = ","))
  }
  errors <- tempfile()
  on.exit(unlink(errors))
  said <- suppressWarnings(system2(file.path(.salvo$prefix, "bin", "salvo"),
                                   shQuote(c(command, unlist(Map(typed, names(words), words)), "--json")), stdout = TRUE,
                                   stderr = errors))
  object <- tryCatch(jsonlite::fromJSON(paste(said, collapse = "\n"), simplifyVector = TRUE), error = function(e) NULL)
  code <- attr(said, "status")
  if (is.null(object) || (!is.null(code) && code %in% 1:3)) stop(paste(readLines(errors), collapse = "\n"), call. = FALSE)
  object
}
