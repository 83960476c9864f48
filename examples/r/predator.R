# A problem file from R: Rscript predator.R PROBLEM
prefix <- Sys.getenv("SALVO_PREFIX", "/usr/local")  # where Salvo was installed
source(file.path(prefix, "share", "salvo", "r", "salvo.R"))

# A problem, or every mistake in its files.
problem <- salvo_read(commandArgs(trailingOnly = TRUE)[1])

# Options are those of `salvo fit`, with _ in place of -. How the fit ended is part of the result.
fit <- salvo_fit(problem, starts = 5, max_time = 60)
print(fit)

estimates <- as.data.frame(fit)                  # a row for each parameter and initial value
cat("\ncorrelation of p1 and p3:", cov2cor(vcov(fit))["p1", "p3"], "\n")
cat("AIC:", AIC(fit), "\n\n")

# The objective in the hands of an optimiser of R.
f <- salvo_objective(problem, guess = c(p1 = 0.9, p2 = 0.9, p3 = 1.1, p4 = 1.1))
found <- optim(f$start, f$value, f$gradient, method = "BFGS")
print(round(rbind(fit = coef(fit), optim = f$values(found$par)), 4))

# Trajectories beyond the data, and a picture of the fit.
forecast <- salvo_simulate(problem, from = fit, until = 20)
cat("\nat t = 20:\n")
print(tail(forecast, 1), row.names = FALSE)
png("predator.png", width = 900, height = 450, type = "cairo")
plot(fit)
invisible(dev.off())
