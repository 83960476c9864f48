// --- estimates -------------------------------------------------------------------------------------------------------

const FIRST_ESTIMATES = 40;

function estimateName(estimate) {
  return SEVERAL_EXPERIMENTS && estimate.experiment ? `${estimate.experiment}:${estimate.id}` : estimate.id;
}

// With the label and the unit that the user gave it.
function estimateTitle(estimate) {
  const label = estimate.label ? `, ${estimate.label}` : "";
  return `${estimateName(estimate)}${label}${estimate.unit ? ` (${estimate.unit})` : ""}`;
}

function boundsText(range) {
  if (!range) return "";
  const lower = number(range.lower);
  const upper = number(range.upper);
  if (lower === -Infinity && upper === Infinity) return "none";
  if (upper === Infinity) return `\u2265 ${digits(lower, 4)}`;
  if (lower === -Infinity) return `\u2264 ${digits(upper, 4)}`;
  return `${digits(lower, 4)} \u2026 ${digits(upper, 4)}`;
}

function relativeError(value, error) {
  const share = Math.abs(error / value);
  if (!Number.isFinite(share)) return "";
  const bar = el("span", {class: "bar", "aria-hidden": "true"}, el("i"));
  bar.firstChild.style.width = `${Math.min(100, 100 * Math.sqrt(share))}%`;
  return el("span", {}, `${digits(100 * share, 2)} %`, bar);
}

function remarks(estimate) {
  const words = (FIT.derived || []).includes(estimate) ? ["derived"] : [];
  if (estimate.at_bound) words.push(`at ${estimate.at_bound} bound`);
  if (!estimate.identifiable) words.push("not identifiable");
  return el("span", {}, ...words.map((word) => el("span", {class: "chip"}, word)));
}

// An end that the likelihood does not have within the bounds is null; a star marks ends that it has shown.
function intervalText(estimate, error) {
  if (!estimate.interval) return "\u2013";
  const [lower, upper] = estimate.interval;
  const mark = (estimate.interval_kind === "wald" ? "" : " *") + (estimate.interval_checked === false ? " ?" : "");
  if (lower === null && upper === null) return `no limits within the bounds${mark}`;
  if (upper === null) return `at least ${rounded(number(lower), error)}${mark}`;
  if (lower === null) return `at most ${rounded(number(upper), error)}${mark}`;
  return `${rounded(number(lower), error)} \u2026 ${rounded(number(upper), error)}${mark}`;
}

function estimateRow(estimate, range) {
  const value = number(estimate.estimate);
  const error = number(estimate.standard_error);
  const interval = intervalText(estimate, error);
  const row = [
    estimateTitle(estimate),
    rounded(value, error),
    rounded(error, error),
    interval,
    relativeError(value, error),
    range && range.guess !== null ? digits(number(range.guess), 4) : "\u2013",
    boundsText(range),
    remarks(estimate),
  ];
  return {name: row[0], row, isWeight: Boolean(range && range.weight)};
}

function directionText(direction) {
  const parts = Object.entries(direction).map(([name, change]) => {
    const factor = number(change);
    return `${name} by ${factor > 0 ? "+" : ""}${digits(factor, 3)} %`;
  });
  return `Not identifiable: a change of ${parts.join(" and ")}${parts.length > 1 ? " together" : ""} leaves the fit as it is.`;
}

function showEstimates() {
  const all = [
    ...FIT.parameters.map((estimate, k) => estimateRow(estimate, PICTURES.parameters[k])),
    ...FIT.initial.map((estimate, k) => estimateRow(estimate, PICTURES.initial[k])),
    ...(FIT.derived || []).map((estimate) => estimateRow(estimate, null)),
  ];
  const body = byId("estimates-body");
  if (all.length === 0) return;
  if (PICTURES.no_errors)
    body.append(el("p", {class: "note"}, `No standard errors were computed: ${PICTURES.no_errors}.`));
  for (const direction of FIT.null_directions) body.append(el("p", {class: "note strong"}, directionText(direction)));
  if (FIT.next_measurement) body.append(el("p", {class: "note"}, FIT.next_measurement.sentence));
  for (const constraint of FIT.constraints || [])
    body.append(
      el(
        "p",
        {class: "note"},
        constraint.active
          ? `${constraint.text}: active; standard errors are conditional on it.`
          : `${constraint.text}${FIT.status === "infeasible" ? "" : ": not active"}.`,
      ),
    );

  const place = el("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": "Table of estimates"});
  const heads = ["", "estimate", "std. error", "95 % interval", "relative error", "guess", "bounds", ""];
  let shown = FIRST_ESTIMATES;
  let withWeights = all.every((entry) => entry.isWeight);
  let wanted = "";
  const more = el("button", {
    type: "button",
    class: "more",
    onclick: () => {
      shown = Infinity;
      withWeights = true;
      draw();
    },
  });
  const draw = () => {
    const named = all.filter((entry) => entry.name.toLowerCase().includes(wanted));
    const found = withWeights || wanted ? named : named.filter((entry) => !entry.isWeight);
    place.replaceChildren(
      table(
        "Estimates",
        heads,
        found.slice(0, shown).map((entry) => entry.row),
        [7],
      ),
    );
    more.hidden = found.slice(0, shown).length === named.length;
    more.textContent = `Show all ${named.length.toLocaleString("en")}${named.some((entry) => entry.isWeight) ? ", weights of networks too" : ""}`;
  };
  if (all.length > 20) {
    const search = el("input", {
      type: "search",
      placeholder: "Filter by name",
      oninput: () => {
        wanted = search.value.toLowerCase();
        draw();
      },
    });
    body.append(el("div", {class: "controls"}, el("label", {}, "Find", search)));
  }
  body.append(place, more);
  const estimates = [...FIT.parameters, ...FIT.initial, ...(FIT.derived || [])];
  if (estimates.some((each) => each.interval && each.interval_kind !== "wald"))
    body.append(el("p", {class: "note"}, "* ends of the likelihood, which are not those of the standard error"));
  if (estimates.some((each) => each.interval_checked === false))
    body.append(el("p", {class: "note"}, "? an end of the standard error that was not compared with the likelihood"));
  draw();
}
