// --- residuals -------------------------------------------------------------------------------------------------------

const MOST_QUANTILES = 4000;

function scatter(host, {label, xAxis, isLogX = false, x, y, groups, xRange, yRange, lines, tipOf, height = 270}) {
  const reach = 9;
  return chart(host, {
    height,
    label,
    data: [xRange, [null, null]],
    options: {
      scales: {
        x: {time: false, distr: isLogX ? 3 : 1, range: (u, low, high) => [low, high]},
        y: {range: () => yRange},
      },
      axes: [xAxis, axis("")],
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
                ctx.fillStyle = seriesColour(group);
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

function quantilesOf(rows) {
  const isLaplace = (i) => PICTURES.observables[DATA.observable[i]].distribution.endsWith("laplace");
  const laplace = rows.every(isLaplace);
  const mixed = !laplace && rows.some(isLaplace);
  const quantile = laplace ? laplaceQuantile : normalQuantile;
  // Where both laws are about, Laplace's residuals are put where normal ones of the same rank would lie.
  const found = (i) => (mixed && isLaplace(i) ? normalFromLaplace(DATA.residual[i]) : DATA.residual[i]);
  const sorted = rows.slice().sort((a, b) => found(a) - found(b));
  const stride = Math.ceil(sorted.length / MOST_QUANTILES);
  const points = [];
  sorted.forEach((i, k) => {
    const inTail = k < 200 || k >= sorted.length - 200;
    if (inTail || k % stride === 0)
      points.push({row: i, expected: quantile((k + 0.5) / sorted.length), found: found(i)});
  });
  return {points, law: laplace ? "Laplace" : "normal", stated: laplace ? "Laplace" : mixed ? "as stated" : "normal"};
}

function drawResiduals(place, rows, colourOf) {
  const groups = new Map();
  for (const i of rows) {
    const group = colourOf(i);
    if (!groups.has(group)) groups.set(group, []);
    groups.get(group).push(i);
  }
  const found = rows.map((i) => DATA.residual[i]);
  const [low, high] = extent(found);
  const yRange = withAir([Math.min(low, -2.2), Math.max(high, 2.2)]);
  const times = rows.map((i) => DATA.time[i]);
  const xRange = rangeOn(logAxes.time ? LOG : LINEAR, 0.02, times);
  const level = (y, paint) => [[xRange[0], y], [xRange[1], y], paint];
  const against = el("div");
  const quantilePlace = el("div");
  const {points, law, stated} = quantilesOf(rows);
  const quantileRange = withAir(
    extent(
      points.map((point) => point.expected),
      [-2, 2],
    ),
  );
  place.replaceChildren(
    el(
      "figure",
      {class: "panel"},
      el("figcaption", {}, el("b", {}, "Against time"), el("span", {}, "in standard deviations")),
      against,
      asTable("Residuals", ["observable", "experiment", "time", "residual"], () =>
        rows.map((i) => [
          PICTURES.observables[DATA.observable[i]].id,
          PICTURES.experiments[DATA.experiment[i]],
          digits(DATA.time[i], 6),
          digits(DATA.residual[i], 5),
        ]),
      ),
    ),
    el(
      "figure",
      {class: "panel"},
      el("figcaption", {}, el("b", {}, "Quantiles"), el("span", {}, `on the line if the noise is ${stated}`)),
      quantilePlace,
      asTable("Quantiles", ["expected", "found"], () =>
        points.map((point) => [digits(point.expected, 4), digits(point.found, 4)]),
      ),
    ),
  );
  const made = [
    scatter(against, {
      label: "Residuals against time",
      xAxis: timeAxis(logAxes.time),
      isLogX: logAxes.time,
      x: (i) => DATA.time[i],
      y: (i) => DATA.residual[i],
      groups: [...groups],
      xRange,
      yRange,
      lines: [level(0, "faint"), level(1.96, "rule"), level(-1.96, "rule")],
      tipOf: residualWords,
    }),
    scatter(quantilePlace, {
      label: "Quantiles of the residuals",
      xAxis: axis(`quantile of ${law} noise`, {size: 28}),
      x: (k) => points[k].expected,
      y: (k) => points[k].found,
      groups: [[0, points.map((_, k) => k)]],
      xRange: quantileRange,
      yRange,
      lines: [[[-99, -99], [99, 99], "faint"]],
      tipOf: (k) => residualWords(points[k].row),
    }),
  ];
  return () => made.forEach((chartMade) => chartMade.destroy());
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
    clear = drawResiduals(place, rows, (i) => DATA.observable[i]);
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
  if (names.length > 1 && names.length <= 7) byId("residuals-body").append(residualLegend(names));
  byId("residuals-body").append(place);
  whenSeen(byId("residuals"), () => {
    draw();
    logAxes.watchers.add(draw);
  });
}

function residualLegend(names) {
  const list = el("ul", {class: "legend"});
  const paint = () =>
    list.replaceChildren(
      ...names.map((name, k) =>
        el("li", {}, svg(10, 14, ["circle", {cx: 5, cy: 7, r: 3.4, fill: seriesColour(k)}]), name),
      ),
    );
  painters.add(paint);
  paint();
  return list;
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
