// --- starts ----------------------------------------------------------------------------------------------------------

const MOST_STRIPS = 40;

function optimumOfStart() {
  const optimum = new Map();
  (FIT.optima || []).forEach((found, k) => found.starts.forEach((start) => optimum.set(start, k)));
  return optimum;
}

function startStatus(start) {
  return STATUS_WORDS[start.status] ? STATUS_WORDS[start.status][0].toLowerCase() : start.status;
}

function waterfall(host, starts, best) {
  const floor = 1e-4;
  const ranks = starts.map((_, k) => k + 1);
  const above = starts.map((start) => Math.max(floor, number(start.objective) - best));
  const range = logRange(above.filter(Number.isFinite));
  const optimum = optimumOfStart();
  return chart(host, {
    height: 260,
    label: "Waterfall: the objectives of all starts, the best first",
    data: [ranks, above.map((value) => (Number.isFinite(value) ? value : null))],
    options: {
      scales: {
        x: {time: false, range: () => withAir([1, Math.max(2, starts.length)], 0.03)},
        y: {distr: 3, range: () => range},
      },
      axes: [axis("start, the best first", {size: 28, splits: wholeTicks}), axis("", logTicks)],
      series: [{}, {stroke: () => colour("rule"), width: 1.2, points: {show: false}}],
      hooks: {
        draw: [
          (u) =>
            clipped(u, (ctx, px, py, ratio) => {
              starts.forEach((start, k) => {
                if (!Number.isFinite(above[k])) return;
                ctx.fillStyle = optimum.has(start.start)
                  ? seriesColour(Math.min(optimum.get(start.start), 6))
                  : colour("faint");
                dots(ctx, 1, () => [px(k + 1), py(above[k])], 3.4 * ratio);
              });
            }),
        ],
      },
      cursor: {drag: {x: false, y: false}},
    },
    tip: (u, x) => {
      const start = starts[Math.round(x) - 1];
      return start
        ? `start ${start.start}: ${startStatus(start)}\nobjective ${digits(number(start.objective), 6)}${start.message ? `\n${start.message}` : ""}`
        : null;
    },
    stops: () => ranks,
  });
}

// One strip per parameter: where the starts ended, between its smallest and its largest value.
function drawStrips(canvas, names, converged, width) {
  const ratio = window.devicePixelRatio || 1;
  const row = 26;
  const left = Math.min(190, 20 + 7.2 * Math.max(...names.map((name) => Math.min(name.length, 22))));
  const right = 84;
  const height = row * names.length + 8;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  canvas.style.width = `${width}px`;
  const ctx = canvas.getContext("2d");
  ctx.scale(ratio, ratio);
  ctx.font = FONT;
  ctx.textBaseline = "middle";
  const optimum = optimumOfStart();
  names.forEach((name, k) => {
    const y = row * (k + 0.5) + 4;
    const values = converged.map((start) => number(start.parameters[name]));
    const [low, high] = extent(values);
    const same = high - low <= 1e-3 * Math.max(Math.abs(low), Math.abs(high));
    ctx.strokeStyle = colour("rule");
    ctx.beginPath();
    ctx.moveTo(left + 76, y);
    ctx.lineTo(width - right, y);
    ctx.stroke();
    ctx.fillStyle = colour("ink");
    ctx.textAlign = "left";
    ctx.fillText(name.length > 22 ? `${name.slice(0, 21)}\u2026` : name, 0, y);
    ctx.fillStyle = colour("soft");
    ctx.textAlign = "right";
    ctx.fillText(digits(low, 3), left + 66, y);
    ctx.textAlign = "left";
    if (!same) ctx.fillText(digits(high, 3), width - right + 10, y);
    for (let i = converged.length - 1; i >= 0; --i) {
      const share = same ? 0.5 : (values[i] - low) / (high - low);
      if (!Number.isFinite(share)) continue;
      ctx.fillStyle = seriesColour(Math.min(optimum.get(converged[i].start) ?? 6, 6));
      dots(ctx, 1, () => [left + 80 + share * (width - right - left - 84), y], 3.4);
    }
  });
}

function showStarts() {
  const starts = FIT.starts || [];
  if (starts.length === 0) return;
  const body = byId("starts-body");
  const optima = FIT.optima || [];
  const converged = starts.filter((start) => start.status === "converged");
  const lost = starts.filter((start) => !Number.isFinite(number(start.objective))).length;
  body.append(
    el(
      "p",
      {class: "note"},
      `${converged.length} of ${counted(starts.length, "start")} converged` +
        (optima.length > 0
          ? `, ${optima[0].count} of them to the best of ${counted(optima.length, "distinct optimum").replace("optimums", "optima")}.`
          : ".") +
        (optima.length > 0 && !optima[0].same_parameters
          ? " It was reached with different parameters: they are not identifiable."
          : "") +
        (lost > 0
          ? ` ${lost === 1 ? "One has" : `${lost} have`} no objective and ${lost === 1 ? "is" : "are"} not drawn.`
          : ""),
    ),
  );
  const host = el("div");
  const strips = el("canvas", {
    class: "heat",
    role: "img",
    "aria-label": "Where the parameters of the converged starts ended",
  });
  const names = Object.keys((converged[0] || {parameters: {}}).parameters).slice(0, MOST_STRIPS);
  const stripFigure = el(
    "figure",
    {class: "panel"},
    el("figcaption", {}, el("b", {}, "Spread of the parameters"), el("span", {}, "one colour per optimum")),
    strips,
    asTable("Parameters of the converged starts", ["start", "objective", ...names], () =>
      converged.map((start) => [
        String(start.start),
        digits(number(start.objective), 6),
        ...names.map((name) => digits(number(start.parameters[name]), 5)),
      ]),
    ),
  );
  body.append(
    el(
      "div",
      {class: "pair"},
      el(
        "figure",
        {class: "panel"},
        el(
          "figcaption",
          {},
          el("b", {}, "Waterfall"),
          el("span", {}, "objective above the best"),
          saveButtons(host, "Waterfall"),
        ),
        host,
        asTable("Starts", ["start", "status", "objective", "why"], () =>
          starts.map((start) => [
            String(start.start),
            startStatus(start),
            digits(number(start.objective), 8),
            start.message || "",
          ]),
        ),
      ),
      names.length > 0 ? stripFigure : null,
    ),
  );
  const best = Math.min(...starts.map((start) => number(start.objective)).filter(Number.isFinite));
  whenSeen(byId("starts"), () => {
    waterfall(host, starts, best);
    if (names.length === 0) return;
    const paint = () => drawStrips(strips, names, converged, Math.max(300, stripFigure.clientWidth));
    painters.add(paint);
    window.addEventListener("resize", paint);
    paint();
  });
}
