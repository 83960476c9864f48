// --- all trajectories ------------------------------------------------------------------------------------------------

const FIRST_PANELS = 60; // more on request
const MANY_PANELS = 12; // beyond it they are shown small, for an overview
const MOST_CHARTS = 24; // alive at a time; others are drawn again when they come into view
const MOST_SMALL_CHARTS = 100;
const ALL = "all";

// In which column each panel stands, so that the panels of an experiment stand in one row in the order of observables;
// small ones of several experiments side by side. Nothing where that would be too narrow, or where there is only one of
// either.
const MOST_COLUMNS = 3;
const MOST_SMALL_COLUMNS = 5;
function alignment(panels) {
  const observables = [...new Set(panels.map(([, o]) => o))].sort((a, b) => a - b);
  const experiments = [...new Set(panels.map(([e]) => e))];
  const most = panels.length > MANY_PANELS ? MOST_SMALL_COLUMNS : MOST_COLUMNS;
  if (experiments.length < 2 || observables.length < 2 || observables.length > most) return null;
  const beside = panels.length > MANY_PANELS ? Math.max(1, Math.floor(most / observables.length)) : 1;
  return {
    columns: beside * observables.length,
    columnOf: (e, o) => (experiments.indexOf(e) % beside) * observables.length + observables.indexOf(o) + 1,
  };
}

// Panels are drawn when they come near the window.
class PanelGrid {
  constructor(place) {
    this.place = place;
    this.alive = new Map(); // by host, the least recently seen first
    this.observer = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) if (entry.isIntersecting) this.wake(entry.target);
      },
      {rootMargin: "300px"},
    );
    window.addEventListener("beforeprint", () => {
      for (const host of place.querySelectorAll(".panel > div")) this.wake(host, Infinity);
    });
    film.watchers.add(() => this.redraw());
  }
  // What is seen at once, the rest when the film rests.
  redraw() {
    window.clearTimeout(this.later);
    const hidden = [];
    for (const [host, panel] of this.alive) {
      const {top, bottom} = host.getBoundingClientRect();
      if (bottom > 0 && top < window.innerHeight) panel.redraw();
      else hidden.push(panel);
    }
    this.later = window.setTimeout(() => {
      for (const panel of hidden) if (panel.u.root.isConnected) panel.redraw();
    }, 200);
  }
  // Small panels open the experiment that they show.
  show(panels, openExperiment) {
    this.isOverview = panels.length > MANY_PANELS;
    this.openExperiment = openExperiment;
    this.place.classList.toggle("overview", this.isOverview);
    const aligned = alignment(panels);
    this.place.classList.toggle("aligned", aligned !== null);
    if (aligned) this.place.style.setProperty("--columns", String(aligned.columns));
    this.observer.disconnect();
    for (const panel of this.alive.values()) panel.destroy();
    this.alive.clear();
    this.place.replaceChildren(
      ...panels.map(([experiment, observable]) => {
        const frame = this.frame(experiment, observable);
        if (aligned) frame.style.setProperty("--column", String(aligned.columnOf(experiment, observable)));
        return frame;
      }),
    );
  }
  frame(experiment, observable) {
    const host = el("div");
    host.style.minHeight = `${this.isOverview ? SMALL_HEIGHT : PANEL_HEIGHT}px`;
    host.panel = [experiment, observable, this.isOverview];
    this.observer.observe(host);
    const name = el("b", {}, PICTURES.observables[observable].id);
    if (this.isOverview) {
      const open = () => this.openExperiment(experiment);
      const title = SEVERAL_EXPERIMENTS
        ? el("button", {type: "button", class: "quiet small", onclick: open}, PICTURES.experiments[experiment])
        : null;
      return el("figure", {class: "panel"}, el("figcaption", {}, name, title), host);
    }
    return el(
      "figure",
      {class: "panel"},
      el(
        "figcaption",
        {},
        name,
        SEVERAL_EXPERIMENTS ? el("span", {}, PICTURES.experiments[experiment]) : null,
        saveButtons(host, panelName(experiment, observable)),
      ),
      host,
      panelTable(experiment, observable),
    );
  }
  wake(host, most = this.isOverview ? MOST_SMALL_CHARTS : MOST_CHARTS) {
    const known = this.alive.get(host);
    this.alive.delete(host);
    this.alive.set(host, known || makePanel(host, ...host.panel));
    for (const [other, panel] of this.alive) {
      if (this.alive.size <= most) break;
      panel.destroy();
      this.alive.delete(other);
      this.observer.unobserve(other);
      this.observer.observe(other); // so that coming back is noticed
    }
  }
}

function panelTable(experiment, observable) {
  const [rows, validationRows] = panelRows(experiment, observable);
  const hasBand = PICTURES.solution.some((curve) => curve.experiment === experiment && curve.lower);
  const cells = (set, word) => (i) => [
    digits(set.time[i], 6),
    digits(set.value[i], 6),
    digits(set.sigma[i], 4),
    digits(set.simulation[i], 6),
    ...(hasBand ? bandOf(experiment, observable, set.time[i]).map((end) => digits(end, 5)) : []),
    digits(set.residual[i], 3),
    word,
  ];
  return asTable(
    panelName(experiment, observable),
    [OVER_SPACE ? PICTURES.time : "time", "measured", "sigma", "trajectory", ...(hasBand ? ["95 % band from", "to"] : []), "residual", "set"],
    () => [...rows.map(cells(DATA, "fitted")), ...validationRows.map(cells(VALIDATION, "held out"))],
  );
}

function allPanels() {
  const panels = [];
  for (let e = 0; e < PICTURES.experiments.length; ++e)
    for (let o = 0; o < PICTURES.observables.length; ++o)
      if (panelRows(e, o).some((rows) => rows.length > 0)) panels.push([e, o]);
  if (panels.length > 0) return panels;
  return PICTURES.observables.map((_, o) => [0, o]);
}

function legend() {
  const line = (paint, width) => ["line", {x1: 1, y1: 7, x2: 25, y2: 7, stroke: paint, "stroke-width": width}];
  const entries = [
    [
      svg(
        12,
        14,
        ["line", {x1: 6, y1: 1, x2: 6, y2: 13, stroke: "var(--data)", opacity: 0.6}],
        ["circle", {cx: 6, cy: 7, r: 3, fill: "var(--data)"}],
      ),
      "data \u00b1 \u03c3",
    ],
    [
      svg(26, 14, line("var(--line)", 2), [
        "circle",
        {cx: 4, cy: 7, r: 2.8, fill: "var(--paper)", stroke: "var(--line)", "stroke-width": 1.5},
      ]),
      OVER_SPACE ? "profiles over space" : "trajectories, each from its node",
    ],
  ];
  if (!OVER_SPACE)
    entries.push([
      svg(8, 14, ["line", {x1: 4, y1: 1, x2: 4, y2: 13, stroke: "var(--gap)", "stroke-width": 1.5}]),
      "gaps",
    ]);
  if (PICTURES.solution.some((curve) => curve.lower))
    entries.push([
      svg(26, 14, ["rect", {x: 1, y: 2, width: 24, height: 10, fill: "var(--band)"}]),
      "95 % band of the solution",
    ]);
  if (PICTURES.solution.some((curve) => curve.lower_new))
    entries.push([
      svg(26, 14, [
        "line",
        {x1: 1, y1: 7, x2: 25, y2: 7, stroke: "var(--line)", "stroke-width": 1, "stroke-dasharray": "3 3"},
      ]),
      "95 % of new observations lie between these",
    ]);
  if (VALIDATION.count > 0)
    entries.push([
      svg(12, 14, [
        "circle",
        {cx: 6, cy: 7, r: 2.4, fill: "var(--paper)", stroke: "var(--validation)", "stroke-width": 1.6},
      ]),
      "held out, not fitted",
    ]);
  if (VALIDATION.time.some((_, i) => isBeyondTheFit(i)))
    entries.push([
      svg(26, 14, [
        "line",
        {x1: 1, y1: 7, x2: 25, y2: 7, stroke: "var(--line)", "stroke-width": 1.6, "stroke-dasharray": "5 4"},
      ]),
      "predicted, from point to point",
    ]);
  return el("ul", {class: "legend"}, ...entries.map(([picture, text]) => el("li", {}, picture, text)));
}

function validationWords() {
  if (!FIT.validation) return null;
  const {measurements} = FIT.validation;
  const chi2 = number(FIT.validation.chi2);
  return el(
    "p",
    {class: "note", id: "validation"},
    `Of ${counted(measurements, "measurement")} that ${measurements === 1 ? "was" : "were"} ` +
      `held out, the fit misses each by ${digits(Math.sqrt(chi2 / measurements), 3)} standard deviations on average ` +
      `(\u03c7\u00b2 ${digits(chi2, 5)}, log-likelihood ${digits(number(FIT.validation.llh), 5)}).`,
  );
}

function showTrajectories() {
  if (OVER_SPACE) byId("trajectories-title").textContent = "Fields";
  const every = allPanels();
  const place = el("div", {class: "panels"});
  const grid = new PanelGrid(place);
  const experiments = [...new Set(every.map(([e]) => e))];
  const observables = [...new Set(every.map(([, o]) => o))];
  const wanted = {
    experiment: ALL,
    observable: ALL,
    shown: FIRST_PANELS,
  };
  const more = el("button", {
    type: "button",
    class: "more",
    onclick: () => {
      wanted.shown += FIRST_PANELS;
      draw();
    },
  });
  const draw = () => {
    const chosen = every.filter(
      ([e, o]) =>
        (wanted.experiment === ALL || e === Number(wanted.experiment)) &&
        (wanted.observable === ALL || o === Number(wanted.observable)),
    );
    grid.show(chosen.slice(0, wanted.shown), (experiment) => selectors.experiment(String(experiment)));
    more.hidden = chosen.length <= wanted.shown;
    more.textContent = `Show more of ${chosen.length.toLocaleString("en")}`;
  };
  const selectors = {};
  const selector = (label, key, ids, nameOf) => {
    const choose = (value) => {
      wanted[key] = value;
      wanted.shown = FIRST_PANELS;
      draw();
    };
    selectors[key] = (value) => {
      select.value = value;
      choose(value);
    };
    const names = [[ALL, `all ${ids.length}`], ...ids.map((id) => [String(id), nameOf(id)])];
    const {element, select} = choice(label, names, wanted[key], choose);
    select.id = `choose-${key}`;
    const step = (by) => {
      select.selectedIndex = (select.selectedIndex + by + names.length) % names.length;
      choose(select.value);
    };
    return el(
      "span",
      {class: "controls"},
      element,
      el(
        "button",
        {type: "button", class: "quiet", "aria-label": `Previous ${label.toLowerCase()}`, onclick: () => step(-1)},
        "\u2039",
      ),
      el(
        "button",
        {type: "button", class: "quiet", "aria-label": `Next ${label.toLowerCase()}`, onclick: () => step(1)},
        "\u203a",
      ),
    );
  };
  const controls = el("div", {class: "controls"});
  if (experiments.length > 1)
    controls.append(selector("Experiment", "experiment", experiments, (e) => PICTURES.experiments[e]));
  if (observables.length > 4)
    controls.append(selector("Observable", "observable", observables, (o) => PICTURES.observables[o].id));
  controls.append(...logChoices(every));
  logAxes.watchers.add(draw);
  const parts = [
    filmControls(),
    validationWords(),
    controls.childElementCount > 0 ? controls : null,
    legend(),
    place,
    more,
  ];
  byId("trajectories-body").append(...parts.filter((part) => part !== null));
  draw();
}
