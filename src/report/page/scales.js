// --- which axes are logarithmic --------------------------------------------------------------------------------------

const isPositive = (value) => value > 0;
// Do more than half of them huddle in the first fiftieth, or another share?
function huddle(values, share = 0.02) {
  if (values.length < 3 || !values.every(isPositive)) return false;
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.floor((sorted.length - 1) / 2)] < share * sorted[sorted.length - 1];
}

// What the data ask for, until somebody chooses.
const logAxes = {
  time: huddle(Array.from(DATA.time)),
  values: null, // every panel as its data ask for
  common: false, // the same values in all panels of an observable
  watchers: new Set(),
  choose(key, value) {
    this[key] = value;
    for (const watcher of this.watchers) watcher();
  },
};

function panelValues(experiment, observable) {
  const [rows, validationRows] = panelRows(experiment, observable);
  return [...rows.map((i) => DATA.value[i]), ...validationRows.map((i) => VALIDATION.value[i])];
}
// Only positive data have logarithms; only noise of this kind makes small ones as exact as large ones.
function asksForLog(experiment, observable) {
  return isLogarithmic(observable) && huddle(panelValues(experiment, observable));
}
function hasLogValues(experiment, observable) {
  if (logAxes.common)
    return PICTURES.experiments.every(
      (_, e) => panelValues(e, observable).length === 0 || hasOwnLogValues(e, observable),
    );
  return hasOwnLogValues(experiment, observable);
}
function hasOwnLogValues(experiment, observable) {
  if (logAxes.values === null) return asksForLog(experiment, observable);
  const values = panelValues(experiment, observable);
  return logAxes.values && values.length > 0 && values.every(isPositive);
}

// Boxes for logarithmic and common axes, where these make a difference.
function logChoices(panels) {
  const box = (text, key, isOn, id = `log-${key}`) => {
    const input = el("input", {
      type: "checkbox",
      id,
      checked: isOn,
      onchange: () => logAxes.choose(key, input.checked),
    });
    return el("label", {}, input, text);
  };
  const choices = [];
  if (huddle(Array.from(DATA.time).filter(isPositive), 0.25))
    choices.push(box("logarithmic time", "time", logAxes.time));
  const hasLogarithms = ([e, o]) => {
    const values = panelValues(e, o);
    return values.length > 0 && values.every(isPositive);
  };
  if (panels.some(hasLogarithms))
    choices.push(
      box(
        "logarithmic values",
        "values",
        panels.some(([e, o]) => asksForLog(e, o)),
      ),
    );
  const isRepeated = panels.some(([e, o], k) => panels.some(([f, p], j) => j < k && p === o && f !== e));
  if (isRepeated) choices.push(box("common values", "common", logAxes.common, "common-values"));
  return choices;
}
