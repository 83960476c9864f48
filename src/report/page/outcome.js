// --- the outcome -----------------------------------------------------------------------------------------------------

const STATUS_WORDS = {
  converged: ["Converged", "good"],
  max_iterations: ["Out of iterations", "warn"],
  max_time: ["Out of time", "warn"],
  interrupted: ["Interrupted", "warn"],
  stalled: ["Stalled", "bad"],
  infeasible: ["Not joined", "bad"],
  numerical_failure: ["Failed", "bad"],
};

// Trajectories that are joined may still contradict a constraint, and gaps that are open may do so because constraints
// contradict each other.
function statusOfFit() {
  const inConflict = (FIT.constraints || []).some((constraint) => constraint.in_conflict);
  if (FIT.status === "converged" && FIT.message.startsWith("Stopped ")) return ["Stopped", "line"]; // by validation data
  if (FIT.status === "infeasible" && (inConflict || number(FIT.gap) <= 1e-8)) return ["Not feasible", "bad"];
  return STATUS_WORDS[FIT.status] || [FIT.status, "warn"];
}

function figure(name, value, remark, tone = null) {
  return el(
    "div",
    {},
    el("dt", {}, name),
    el("dd", {}, value, remark ? el("small", {class: tone}, ` ${remark}`) : null),
  );
}

// How near the curves come to the data: the worst observable is the one to look at.
function nearness() {
  const told = (FIT.by_observable || []).filter((each) => each.fit !== null && each.fit !== undefined);
  if (told.length === 0 || number(FIT.gap) > 1e-6) return [];
  const worst = told.reduce((least, each) => (number(each.fit) < number(least.fit) ? each : least));
  const which = told.length > 1 ? `${worst.id}, the lowest of ${told.length}` : null;
  return [
    figure("fit", `${digits(number(worst.fit), 3)} %`, which),
    figure("R\u00b2", digits(number(worst.r2), 3), `RMSE ${digits(number(worst.rmse), 3)}`),
  ];
}

function showOutcome() {
  const title = FIT.title || "Fit";
  document.title = `${title} \u2013 Salvo`;
  byId("title").textContent = title;
  byId("source").textContent = [FIT.problem, FIT.method, counted(FIT.nodes, "node"), FIT.integrator].join("  \u00b7  ");
  const [words, tone] = statusOfFit();
  const badge = el("span", {class: "badge"}, words);
  badge.style.setProperty("--tone", `var(--${tone})`);
  const begins = FIT.message.startsWith(`${words} `);
  byId("outcome").append(badge, begins ? FIT.message.slice(words.length + 1) : FIT.message);

  const p = number(FIT.p_value);
  const figures = [
    figure(
      "\u03c7\u00b2",
      digits(number(FIT.chi2), 5),
      FIT.degrees_of_freedom > 0 ? `${counted(FIT.degrees_of_freedom, "degree")} of freedom` : null,
    ),
    Number.isFinite(p) && number(FIT.gap) <= 1e-6
      ? figure(
          "p-value",
          p < 1e-4 ? p.toExponential(1) : digits(p, 2),
          p < 0.01
            ? number(FIT.chi2) > FIT.measurements
              ? "residuals too large for this noise"
              : "data and priors contradict each other"
            : p > 0.99
              ? "residuals too small for this noise"
              : "consistent with the noise",
          p < 0.01 || p > 0.99 ? "warn" : null,
        )
      : null,
    figure("log-likelihood", digits(number(FIT.llh), 6)),
    FIT.aic === null ? null : figure("AIC", digits(number(FIT.aic), 6), `BIC ${digits(number(FIT.bic), 6)}`),
    ...nearness(),
    figure("measurements", FIT.measurements.toLocaleString("en")),
    figure(
      "iterations",
      String(FIT.iterations),
      FIT.certificate && FIT.certificate.missing ? "not proved to be a minimum" : seconds(number(FIT.work.seconds)),
      FIT.certificate && FIT.certificate.missing ? "warn" : null,
    ),
  ];
  byId("figures").append(...figures.filter((entry) => entry !== null));
}

// Only what this fit has; called last.
function showContents() {
  for (const section of document.querySelectorAll("main > section")) {
    const body = section.lastElementChild;
    section.hidden = body.childElementCount === 0;
    if (!section.hidden)
      byId("contents").append(el("a", {href: `#${section.id}`}, section.firstElementChild.textContent));
  }
}
