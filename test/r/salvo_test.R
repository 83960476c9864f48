# The functions of salvo.R, as a user of R would call them: salvo_test.R PREFIX FOLDER SOURCE
words <- commandArgs(trailingOnly = TRUE)
prefix <- words[1]
folder <- words[2]
examples <- file.path(words[3], "examples")
source(file.path(prefix, "share", "salvo", "r", "salvo.R"))

failures <- 0
expect <- function(rule) {
  if (isTRUE(rule)) return(invisible())
  failures <<- failures + 1
  cat("expected", deparse(substitute(rule)), "\n")
}
# What a call that must fail says.
refusal <- function(call) tryCatch({ call; "" }, error = conditionMessage)
says <- function(text, ...) all(vapply(c(...), grepl, TRUE, x = text, fixed = TRUE))

predator <- file.path(examples, "lotka-volterra", "lotka-volterra.yaml")
decay <- file.path(examples, "library", "decay.yaml")

# The data of the decay follow exp(-0.5 t) and are seen with sigma = 0.01.
problem <- salvo_read(decay)
fit <- salvo_fit(problem)
expect(fit$status == "converged" && abs(coef(fit)[["k"]] - 0.5) < 1e-6)
table <- as.data.frame(fit)
t <- 1:6
error <- 0.01 / sqrt(sum((t * exp(-0.5 * t))^2))  # one over the root of the information
expect(identical(table$id, "k") && abs(table$standard_error - error) < 1e-6 * error)
expect(table$lower < 0.5 && table$upper > 0.5 && table$identifiable)
expect(abs(sqrt(vcov(fit)["k", "k"]) - error) < 1e-6 * error)
expect(abs(as.numeric(logLik(fit)) - -6 * log(0.01 * sqrt(2 * pi))) < 1e-9 && nobs(fit) == 6)
expect(abs(AIC(fit) - fit$result$aic) < 1e-9 && abs(BIC(fit) - fit$result$bic) < 1e-9)
expect(any(grepl("Decay", capture.output(print(fit)))) && any(grepl("Converged", capture.output(print(fit)))))

# What R writes and what the program writes is the same folder.
kept <- salvo_fit(problem, out = file.path(folder, "decay.fit"), profiles = TRUE)
expect(file.exists(file.path(folder, "decay.fit", "report.html")) && nrow(salvo_table(kept, "profiles")) > 5)
expect(identical(coef(salvo_open(file.path(folder, "decay.fit"))), coef(kept)))
expect(says(refusal(salvo_table(fit, "profiles")), "this fit has no profiles.csv"))

# Numbers arrive with all their bits: 1/3 has more digits than JSON is usually written with.
held <- salvo_fit(problem, fix = c(k = 1 / 3))
f <- salvo_objective(problem, guess = c(k = 1 / 3))
expect(f$start[["k"]] == 1 / 3)
expect(abs(held$objective - f$value(1 / 3)) < 1e-6 * abs(held$objective))

# Trajectories.
simulated <- salvo_simulate(problem, at = c(0, 1, 2), parameters = c(k = 0.25), rtol = 1e-10)
expect(identical(simulated$time, 0:2) && max(abs(simulated$x - exp(-0.25 * 0:2))) < 1e-8)
expect(identical(salvo_simulate(problem, at = 1, from = fit)$x, salvo_simulate(problem, at = 1, parameters = coef(fit))$x))

# Other optimisers reach what fit finds, and the gradient is that of the value.
problem <- salvo_read(predator)
fit <- salvo_fit(problem, starts = 2, seed = 3)
f <- salvo_objective(problem, guess = 1.02 * coef(fit), rtol = 1e-10)
expect(identical(names(f$start), c("p1", "p2", "p3", "p4", "x1", "x2")))
difference <- vapply(1:6, function(i) {
  h <- replace(numeric(6), i, 1e-5)
  (f$value(f$start + h) - f$value(f$start - h)) / 2e-5
}, 0)
expect(max(abs(f$gradient(f$start) - difference)) < 1e-5 * max(abs(difference)))
expect(max(abs(crossprod(f$jacobian(f$start), f$rows(f$start)) - f$gradient(f$start))) < 1e-8 * max(abs(difference)))
found <- optim(f$start, f$value, f$gradient, method = "BFGS", control = list(reltol = 1e-12))
expect(abs(found$value - fit$objective) < 1e-5 && max(abs(found$par - coef(fit))) < 1e-4)
if (requireNamespace("minpack.lm", quietly = TRUE)) {
  found <- minpack.lm::nls.lm(f$start, fn = f$rows, jac = f$jacobian)
  expect(max(abs(found$par - coef(fit))) < 1e-4)
}
expect(identical(f$value(rev(f$start)), f$value(f$start)))  # names say which is which
expect(f$value(replace(f$start, 1, NaN)) == Inf && says(f$why(), "p1 is not a finite number"))
expect(all(is.nan(f$gradient(rep(-1000, 6)))) && nzchar(f$why()))

# A picture.
png(file.path(folder, "fit.png"), 900, 450, type = "cairo")
plot(fit)
invisible(dev.off())
expect(file.size(file.path(folder, "fit.png")) > 5000)

# The program.
profile <- salvo_command("profile", decay, parameters = "k", out = file.path(folder, "profile.fit"))
expect(profile$profiles$verdict == "identifiable")
expect(says(refusal(salvo_command("fit", "nowhere.yaml")), "nowhere.yaml"))

# Mistakes.
wrong <- c("equations:", "  x: -kk*x", "initial: {x: 1}", "parameters: {k: {gues: 1}}", "observables: {seen: {formula: x}}",
           "data: decay.csv")
expect(says(refusal(salvo_read_text(wrong, file.path(dirname(decay), "wrong.yaml"))), "wrong.yaml:2:7: ", "did you mean 'k'?",
            "wrong.yaml:4:", "did you mean 'guess'?"))
expect(says(refusal(salvo_read("nowhere.yaml")), "nowhere.yaml"))
expect(says(refusal(salvo_read(c("a", "b"))), "'path' is not one text"))
expect(says(refusal(salvo_fit(problem, strats = 3)), "did you mean 'starts'?"))
expect(says(refusal(salvo_fit(problem, 3)), "options have names"))
expect(says(refusal(salvo_fit(problem, starts = NA)), "'starts' is not a number"))
expect(says(refusal(salvo_fit(problem, starts = Inf)), "'starts' wants a whole number"))
expect(says(refusal(salvo_fit(problem, max_time = -1)), "'max-time' wants a number above 0"))
expect(says(refusal(salvo_fit(problem, guess = c(zz = 1))), "'zz'"))
expect(says(refusal(salvo_fit(7)), "neither a problem nor the path of one"))
expect(says(refusal(f$value(1)), "the length of x is 1, but the objective has 6 quantities"))
expect(says(refusal(f$value("a")), "not a vector of numbers"))
expect(says(refusal(salvo_simulate(problem, at = -1)), "'at': the time -1 is before the start"))
expect(inherits(tryCatch(salvo_simulate(problem), error = identity), "salvo_error"))  # from its guess it reaches infinity
saveRDS(list(problem, fit), file.path(folder, "saved.rds"))
again <- readRDS(file.path(folder, "saved.rds"))
expect(says(refusal(salvo_fit(again[[1]])), "another session of R") && identical(coef(again[[2]]), coef(fit)))

# An interrupt ends a fit with what it has, and R goes on.
system(sprintf("(sleep 1; kill -INT %d) &", Sys.getpid()))
stopped <- salvo_fit(problem, starts = 20000)
expect(stopped$status %in% c("interrupted", "converged") && !grepl("20000 of 20000", stopped$message))
expect(salvo_fit(problem)$status == "converged")

cat(if (failures > 0) paste(failures, "expectations failed\n") else "Every expectation held.\n")
quit(status = failures > 0)
