// --- convergence -----------------------------------------------------------------------------------------------------

function logRange(values) {
  const [low, high] = extent(values.filter((value) => value > 0));
  return [10 ** Math.floor(Math.log10(low) - 1e-9), 10 ** Math.ceil(Math.log10(high) + 1e-9)];
}

const wholeTicks = (u, k, low, high) => linearTicks(low, high, u.bbox.width / 76).filter(Number.isInteger);

function traceChart(title, name, valuesOf) {
  const iterations = TRACE.map((point) => point.iteration);
  const values = TRACE.map((point) => {
    const value = valuesOf(point);
    return value > 0 ? value : null;
  });
  if (values.every((value) => value === null)) return null;
  const host = el("div");
  const figureElement = el(
    "figure",
    {class: "panel"},
    el("figcaption", {}, el("b", {}, title), saveButtons(host, title)),
    host,
    asTable(title, ["iteration", name], () =>
      TRACE.map((point) => [String(point.iteration), digits(valuesOf(point), 6)]),
    ),
  );
  const mark = (u) =>
    clipped(u, (ctx, px, py, ratio) => {
      const x = px(FRAMES[film.position].iteration);
      ctx.strokeStyle = colour("gap");
      ctx.lineWidth = 1.4 * ratio;
      ctx.beginPath();
      ctx.moveTo(x, u.bbox.top);
      ctx.lineTo(x, u.bbox.top + u.bbox.height);
      ctx.stroke();
    });
  const range = logRange(values.filter((value) => value !== null));
  queueMicrotask(() => {
    const made = chart(host, {
      height: 210,
      label: `${title} against the iteration, logarithmic`,
      data: [iterations, values],
      options: {
        scales: {
          x: {time: false, range: (u, low, high) => (low === high ? [low - 1, high + 1] : [low, high])},
          y: {distr: 3, range: () => range},
        },
        axes: [axis("iteration", {size: 28, splits: wholeTicks}), axis("", logTicks)],
        series: [
          {},
          {
            stroke: () => colour("line"),
            width: 1.9,
            points: {show: iterations.length <= 80, size: 6, fill: () => colour("paper"), stroke: () => colour("line")},
          },
        ],
        hooks: {draw: [mark]},
        cursor: {drag: {x: false, y: false}},
      },
      tip: (u, x) => {
        const point = TRACE_AT.get(Math.round(x));
        return point ? `iteration ${point.iteration}\n${name} ${digits(valuesOf(point), 5)}` : null;
      },
      stops: () => iterations,
      onclick: (x) => film.showIteration(Math.round(x)),
    });
    film.watchers.add(() => made.redraw());
  });
  return figureElement;
}

// What is known of the end of the run, for those who want to know how sure that is.
function proofTable() {
  const certificate = FIT.certificate || {};
  const rows = [
    ["largest gap", Number.isFinite(number(FIT.objective)) ? FIT.gap : NaN],
    ["gain of a further step", certificate.gain],
    ["resolution of the objective", certificate.resolution],
    ["contraction", certificate.contraction],
  ].filter(([, value]) => value !== null && value !== undefined);
  const proved = certificate.missing ? `Not proved: ${certificate.missing}.` : null;
  return el(
    "details",
    {id: "proof", class: "wide"},
    el("summary", {}, "What was proved of the end"),
    table(
      "What was proved of the end",
      ["", "value"],
      rows.map(([name, value]) => [name, digits(number(value), 2)]),
    ),
    proved ? el("p", {class: "note strong"}, proved) : null,
  );
}

function showConvergence() {
  if (TRACE.length < 2) return void byId("convergence-body").append(proofTable());
  const final = TRACE[TRACE.length - 1].objective;
  const charts = [
    traceChart("Objective, from its last value", "distance", (point) => Math.abs(point.objective - final)),
    traceChart("Largest gap, relative", "gap", (point) => point.gap),
    traceChart("Length of the step, relative", "step", (point) => point.step),
  ];
  const sample = svg(8, 14, ["line", {x1: 4, y1: 1, x2: 4, y2: 13, stroke: "var(--gap)", "stroke-width": 1.5}]);
  byId("convergence-body").append(
    el("ul", {class: "legend wide"}, el("li", {}, sample, "the iteration whose trajectories are shown above")),
    ...charts.filter((made) => made !== null),
    proofTable(),
  );
}
