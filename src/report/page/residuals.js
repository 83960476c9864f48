// --- residuals -------------------------------------------------------------------------------------------------------

const MOST_QUANTILES = 4000;

function scatter(
  host,
  {
    label,
    xAxis,
    yLabel = "",
    isLogX = false,
    isLogY = false,
    x,
    y,
    groups,
    xRange,
    yRange,
    lines,
    stems = false, // a line from 0 to every point
    tipOf,
    height = 270,
  },
) {
  const reach = 9;
  return chart(host, {
    height,
    label,
    data: [xRange, [null, null]],
    options: {
      scales: {
        x: {time: false, distr: isLogX ? 3 : 1, range: (u, low, high) => [low, high]},
        y: {distr: isLogY ? 3 : 1, range: () => yRange},
      },
      axes: [xAxis, axis(yLabel, isLogY ? logTicks : {})],
      series: [{}, {}],
      hooks: {
        draw: [
          (u) =>
            clipped(u, (ctx, px, py, ratio) => {
              ctx.lineWidth = ratio;
              for (const [from, to, paint] of lines) {
                ctx.strokeStyle = colour(paint);
                ctx.beginPath();
                ctx.moveTo(px(from[0]), py(from[1]));
                ctx.lineTo(px(to[0]), py(to[1]));
                ctx.stroke();
              }
              for (const [group, rows] of groups) {
                ctx.fillStyle = ctx.strokeStyle = seriesColour(group);
                if (stems) {
                  ctx.lineWidth = 1.6 * ratio;
                  ctx.beginPath();
                  for (const k of rows) {
                    ctx.moveTo(px(x(k)), py(0));
                    ctx.lineTo(px(x(k)), py(y(k)));
                  }
                  ctx.stroke();
                }
                dots(
                  ctx,
                  rows.length,
                  (k) => [px(x(rows[k])), py(y(rows[k]))],
                  (rows.length > 500 ? 1.7 : 2.6) * ratio,
                );
              }
            }),
        ],
      },
    },
    tip: (u) => {
      const {left, top} = u.cursor;
      let best = null;
      let distance = reach * reach;
      const low = u.posToVal(left - reach, "x");
      const high = u.posToVal(left + reach, "x");
      for (const [, rows] of groups)
        for (const i of rows) {
          if (x(i) < low || x(i) > high) continue;
          const dx = u.valToPos(x(i), "x") - left;
          const dy = u.valToPos(y(i), "y") - top;
          if (dx * dx + dy * dy < distance) {
            distance = dx * dx + dy * dy;
            best = i;
          }
        }
      return best === null ? null : tipOf(best);
    },
  });
}

function residualWords(i) {
  return `${panelName(DATA.experiment[i], DATA.observable[i])}\ntime ${digits(DATA.time[i], 5)}\nresidual ${digits(DATA.residual[i], 4)}`;
}

// Residuals are normal numbers as improbable as the data are under their own laws.
function quantilesOf(rows) {
  const sorted = rows.slice().sort((a, b) => DATA.residual[a] - DATA.residual[b]);
  const stride = Math.ceil(sorted.length / MOST_QUANTILES);
  const all = sorted.reduce((sum, i) => sum + weightOf(DATA, i), 0);
  const points = [];
  let before = 0;
  sorted.forEach((i, k) => {
    const inTail = k < 200 || k >= sorted.length - 200;
    const middle = before + 0.5 * weightOf(DATA, i);
    before += weightOf(DATA, i);
    if (inTail || k % stride === 0)
      points.push({row: i, expected: normalQuantile(middle / all), found: DATA.residual[i]});
  });
  return points;
}

function residualFigure(title, remark, host, caption, heads, rowsOf) {
  return el(
    "figure",
    {class: "panel"},
    el("figcaption", {}, el("b", {}, title), el("span", {}, remark), saveButtons(host, caption)),
    host,
    asTable(caption, heads, rowsOf),
  );
}
const SIGMA_LEVELS = [
  [0, "faint"],
  [1.96, "rule"],
  [-1.96, "rule"],
];

function againstTime(rows, yRange) {
  const groups = new Map();
  for (const i of rows) {
    const group = DATA.observable[i];
    if (!groups.has(group)) groups.set(group, []);
    groups.get(group).push(i);
  }
  const xRange = rangeOn(
    logAxes.time ? LOG : LINEAR,
    0.02,
    rows.map((i) => DATA.time[i]),
  );
  const host = el("div");
  const element = residualFigure(
    "Against time",
    "in standard deviations",
    host,
    "Residuals against time",
    ["observable", "experiment", "time", "residual"],
    () =>
      rows.map((i) => [
        PICTURES.observables[DATA.observable[i]].id,
        PICTURES.experiments[DATA.experiment[i]],
        digits(DATA.time[i], 6),
        digits(DATA.residual[i], 5),
      ]),
  );
  const draw = () =>
    scatter(host, {
      label: "Residuals against time",
      xAxis: timeAxis(logAxes.time),
      yLabel: "residual / \u03c3",
      isLogX: logAxes.time,
      x: (i) => DATA.time[i],
      y: (i) => DATA.residual[i],
      groups: [...groups],
      xRange,
      yRange,
      lines: SIGMA_LEVELS.map(([y, paint]) => [[xRange[0], y], [xRange[1], y], paint]),
      tipOf: residualWords,
    });
  return {element, draw};
}

function againstQuantiles(rows, yRange) {
  const points = quantilesOf(rows);
  const xRange = withAir(
    extent(
      points.map((point) => point.expected),
      [-2, 2],
    ),
  );
  const host = el("div");
  const element = residualFigure(
    "Quantiles",
    "on the line if the noise is as stated",
    host,
    "Quantiles of the residuals",
    ["expected", "found"],
    () => points.map((point) => [digits(point.expected, 4), digits(point.found, 4)]),
  );
  const draw = () =>
    scatter(host, {
      label: "Quantiles of the residuals",
      xAxis: axis("quantile of normal numbers", {size: 28}),
      yLabel: "residual / \u03c3",
      x: (k) => points[k].expected,
      y: (k) => points[k].found,
      groups: [[0, points.map((_, k) => k)]],
      xRange,
      yRange,
      lines: [[[-99, -99], [99, 99], "faint"]],
      tipOf: (k) => residualWords(points[k].row),
    });
  return {element, draw};
}

// Of several observables the one with most measurements: different units do not belong on one axis.
function observedAgainstPredicted(rows) {
  const count = new Map();
  for (const i of rows) count.set(DATA.observable[i], (count.get(DATA.observable[i]) || 0) + 1);
  const [observable] = [...count].reduce((best, next) => (next[1] > best[1] ? next : best));
  const own = rows.filter((i) => DATA.observable[i] === observable && Number.isFinite(DATA.simulation[i]));
  const values = own.flatMap((i) => [DATA.value[i], DATA.simulation[i]]);
  const isLog = isLogarithmic(observable) && values.every(isPositive);
  const range = rangeOn(isLog ? LOG : LINEAR, 0.05, values);
  const unit = isLog ? 1 : powerOfTen(range[1] - range[0]);
  const xRange = range.map((end) => end / unit);
  const name = PICTURES.observables[observable].axis;
  const host = el("div");
  const element = residualFigure(
    "Observed against predicted",
    count.size > 1 ? `${name}; choose another above` : name,
    host,
    `Observed against predicted, ${PICTURES.observables[observable].id}`,
    ["experiment", "time", "predicted", "observed"],
    () =>
      own.map((i) => [
        PICTURES.experiments[DATA.experiment[i]],
        digits(DATA.time[i], 6),
        digits(DATA.simulation[i], 6),
        digits(DATA.value[i], 6),
      ]),
  );
  const draw = () =>
    scatter(host, {
      label: `Observed against predicted values of ${name}`,
      xAxis: axis("predicted", {...(isLog ? logTicks : inUnit(unit)), size: 28}),
      yLabel: "observed",
      isLogX: isLog,
      isLogY: isLog,
      x: (i) => DATA.simulation[i] / unit,
      y: (i) => DATA.value[i],
      groups: [[observable, own]],
      xRange,
      yRange: range,
      lines: [[[xRange[0], range[0]], [xRange[1], range[1]], "faint"]],
      tipOf: (i) =>
        `${residualWords(i)}\npredicted ${digits(DATA.simulation[i], 5)}\nobserved ${digits(DATA.value[i], 5)}`,
    });
  return {element, draw};
}

// Which experiments the model misses: their residuals side by side.
function perExperiment(rows, yRange) {
  const experiments = [...new Set(rows.map((i) => DATA.experiment[i]))].sort((a, b) => a - b);
  const place = new Map(experiments.map((e, k) => [e, k + 1]));
  const xRange = [0.4, experiments.length + 0.6];
  const shift = (i) => (((i * 0.618034) % 1) - 0.5) * 0.5; // so that dots of one experiment lie beside each other
  const host = el("div");
  const summary = (e) => {
    const own = rows.filter((i) => DATA.experiment[i] === e);
    const count = own.reduce((sum, i) => sum + weightOf(DATA, i), 0);
    const mean = own.reduce((sum, i) => sum + weightOf(DATA, i) * DATA.residual[i], 0) / count;
    const squares = own.reduce((sum, i) => sum + weightOf(DATA, i) * DATA.residual[i] ** 2, 0);
    const largest = own.reduce((most, i) => Math.max(most, Math.abs(DATA.residual[i])), 0);
    return [count.toLocaleString("en"), digits(mean, 3), digits(Math.sqrt(squares / count), 3), digits(largest, 3)];
  };
  const element = residualFigure(
    "By experiment",
    "in standard deviations",
    host,
    "Residuals by experiment",
    ["experiment", "values", "mean", "root mean square", "largest"],
    () => experiments.map((e) => [PICTURES.experiments[e], ...summary(e)]),
  );
  const nameAt = (tick) => {
    const name = PICTURES.experiments[experiments[tick - 1]] || "";
    return name.length > 12 ? `${name.slice(0, 11)}\u2026` : name;
  };
  const draw = () =>
    scatter(host, {
      label: "Residuals by experiment",
      xAxis: axis("experiment", {
        size: 28,
        splits: wholeTicks,
        values: (u, ticks) => ticks.map((tick) => (experiments.length <= 6 ? nameAt(tick) : String(tick))),
      }),
      yLabel: "residual / \u03c3",
      x: (i) => place.get(DATA.experiment[i]) + shift(i),
      y: (i) => DATA.residual[i],
      groups: [[0, rows]],
      xRange,
      yRange,
      lines: SIGMA_LEVELS.map(([y, paint]) => [[xRange[0], y], [xRange[1], y], paint]),
      tipOf: residualWords,
    });
  return {element, draw};
}

// Whether residuals tell of those that follow: bars beyond the lines are a pattern that the model misses.
function againstLag(rows) {
  const observables = [...new Set(rows.map((i) => DATA.observable[i]))];
  const series = observables
    .map((o) => [o, (PICTURES.autocorrelation || [])[o]])
    .filter(([, own]) => own && own.lags.length > 0);
  if (series.length === 0) return null;
  const longest = series.reduce((most, [, own]) => Math.max(most, own.lags.length), 0);
  const level = series.reduce((most, [, own]) => Math.max(most, 1.96 / Math.sqrt(own.count)), 0);
  const points = series.flatMap(([o, own], k) =>
    own.lags.map((r, lag) => ({o, lag: lag + 1, x: lag + 1 + ((k + 0.5) / series.length - 0.5) * 0.6, y: number(r)})),
  );
  const [low, high] = extent(points.map((point) => point.y));
  const xRange = [0.4, longest + 0.6];
  const host = el("div");
  const element = residualFigure(
    "Autocorrelation",
    "within the lines if neighbours are independent",
    host,
    "Autocorrelation of the residuals",
    ["observable", "lag", "autocorrelation"],
    () => points.map((point) => [PICTURES.observables[point.o].id, String(point.lag), digits(point.y, 3)]),
  );
  const groups = series.map(([o]) => [o, points.map((_, k) => k).filter((k) => points[k].o === o)]);
  const draw = () =>
    scatter(host, {
      label: "Autocorrelation of the residuals against the lag",
      xAxis: axis("lag, in measurements", {size: 28, splits: wholeTicks}),
      yLabel: "autocorrelation",
      x: (k) => points[k].x,
      y: (k) => points[k].y,
      groups,
      xRange,
      yRange: withAir([Math.min(low, -1.2 * level), Math.max(high, 1.2 * level)]),
      lines: [0, level, -level].map((y) => [[xRange[0], y], [xRange[1], y], y === 0 ? "faint" : "rule"]),
      stems: true,
      tipOf: (k) =>
        `${PICTURES.observables[points[k].o].id}\nlag ${points[k].lag}\nautocorrelation ${digits(points[k].y, 3)}`,
    });
  return {element, draw};
}

function drawResiduals(place, rows) {
  const [low, high] = extent(rows.map((i) => DATA.residual[i]));
  const yRange = withAir([Math.min(low, -2.2), Math.max(high, 2.2)]);
  const figures = [
    againstTime(rows, yRange),
    againstQuantiles(rows, yRange),
    observedAgainstPredicted(rows),
    againstLag(rows),
    SEVERAL_EXPERIMENTS ? perExperiment(rows, yRange) : null,
  ].filter((made) => made !== null);
  place.replaceChildren(...figures.map((made) => made.element));
  const made = figures.map(({draw}) => draw());
  return () => made.forEach((chartMade) => chartMade.destroy());
}

// Fit, R\u00b2 and RMSE of every observable.
function nearnessTable() {
  const told = FIT.by_observable || [];
  if (told.length === 0) return null;
  const cells = (each) => [
    each.id,
    each.measurements.toLocaleString("en"),
    `${digits(number(each.fit), 3)} %`,
    digits(number(each.r2), 4),
    digits(number(each.rmse), 4),
  ];
  return el(
    "details",
    {id: "nearness"},
    el("summary", {}, "Fit, R\u00b2 and RMSE of every observable"),
    el(
      "div",
      {class: "scroll"},
      table("How near the fit comes", ["observable", "values", "fit", "R\u00b2", "RMSE"], told.map(cells)),
    ),
    el(
      "p",
      {class: "note"},
      "Fit is 100 % for a curve through all data, and 0 % for one that is no nearer than their mean. Of logarithms where the noise is.",
    ),
  );
}

function showResiduals() {
  const every = [];
  for (let i = 0; i < DATA.count; ++i) if (Number.isFinite(DATA.residual[i])) every.push(i);
  if (every.length === 0) return;
  const place = el("div", {class: "pair"});
  const wanted = {experiment: ALL, observable: ALL};
  let clear = () => {};
  const draw = () => {
    clear();
    const rows = every.filter(
      (i) =>
        (wanted.experiment === ALL || DATA.experiment[i] === Number(wanted.experiment)) &&
        (wanted.observable === ALL || DATA.observable[i] === Number(wanted.observable)),
    );
    clear = rows.length > 0 ? drawResiduals(place, rows) : () => place.replaceChildren();
  };
  const controls = el("div", {class: "controls"});
  const add = (label, key, ids) => {
    if (ids.length < 2) return;
    const names = [[ALL, `all ${ids.length}`], ...ids.map((id, k) => [String(k), id])];
    controls.append(
      choice(label, names, ALL, (value) => {
        wanted[key] = value;
        draw();
      }).element,
    );
  };
  add("Experiment", "experiment", PICTURES.experiments);
  add(
    "Observable",
    "observable",
    PICTURES.observables.map((observable) => observable.id),
  );
  if (controls.childElementCount > 0) byId("residuals-body").append(controls);
  const names = PICTURES.observables.map((observable) => observable.id);
  if (names.length > 1 && names.length <= 7) byId("residuals-body").append(colourLegend(names));
  if (DATA.weight)
    byId("residuals-body").append(
      el(
        "p",
        {class: "note", id: "thinned"},
        `${DATA.count.toLocaleString("en")} of ${DATA.measured.toLocaleString("en")} measurements are drawn; the others ` +
          "would lie on them. All of them are in residuals.csv.",
      ),
    );
  byId("residuals-body").append(...[place, nearnessTable()].filter((part) => part !== null));
  whenSeen(byId("residuals"), () => {
    draw();
    logAxes.watchers.add(draw);
  });
}

// Once, when the section comes near the window, or before the page is printed.
function whenSeen(section, draw) {
  const once = () => {
    observer.disconnect();
    window.removeEventListener("beforeprint", once);
    draw();
  };
  const observer = new IntersectionObserver(
    (entries) => {
      if (entries.some((entry) => entry.isIntersecting)) once();
    },
    {rootMargin: "400px"},
  );
  observer.observe(section);
  window.addEventListener("beforeprint", once);
}
