// --- one observable of one experiment --------------------------------------------------------------------------------

const MOST_NODES = 80; // beyond it circles would hide the line
const PANEL_HEIGHT = 270;
const SMALL_HEIGHT = 150;
const MANY_DATA = 150; // beyond it the data would hide the line, and lie under it

// The ends of the band at the k-th point of a curve; nothing where there is none.
function bandAt(curve, k) {
  if (!curve.lower || !Number.isFinite(curve.lower[k])) return null;
  return [curve.lower[k], curve.upper[k]];
}

// All data, their error bars and the solution with its band; of the way there, and of a band that is far wider than the
// data, as much as keeps company with them.
function panelRange(experiment, observable, rows, validationRows, scale) {
  const ends = [];
  for (const i of rows) ends.push(...errorBar(DATA, i), DATA.value[i]);
  for (const i of validationRows) ends.push(...errorBar(VALIDATION, i), VALIDATION.value[i]);
  const on = (values) => Array.from(values, scale.to);
  const end = SOLUTION.curves.of(experiment, observable);
  const start = FRAMES[0].curves.of(experiment, observable);
  const core = extent(on(ends), end && (FIT.status === "converged" || ends.length === 0) ? on(end.value) : []);
  const band = end ? Array.from(end.time, (_, k) => bandAt(end, k) || []).flat() : [];
  if (end && end.lowerNew) band.push(...[...end.lowerNew, ...end.upperNew].filter(Number.isFinite));
  const whole = extent(on(ends), end ? on(end.value) : [], start ? on(start.value) : [], on(band));
  const room = 0.6 * (core[1] - core[0]);
  return withAir([Math.max(whole[0], core[0] - room), Math.min(whole[1], core[1] + room)]).map(scale.from);
}

// What all panels of an observable span together.
function commonRange(observable, scale) {
  const ends = PICTURES.experiments.flatMap((_, experiment) => {
    const [rows, validationRows] = panelRows(experiment, observable);
    const isThere = rows.length + validationRows.length > 0;
    return isThere ? panelRange(experiment, observable, rows, validationRows, scale) : [];
  });
  return extent(ends);
}

function drawBand(ctx, curve, px, py) {
  if (!curve.lower) return;
  ctx.fillStyle = colour("band");
  let begin = 0;
  for (const length of curve.lengths) {
    const points = Array.from({length}, (_, k) => begin + k).filter((k) => bandAt(curve, k));
    ctx.beginPath();
    for (const k of points) ctx.lineTo(px(curve.time[k]), py(bandAt(curve, k)[1]));
    for (const k of points.reverse()) ctx.lineTo(px(curve.time[k]), py(bandAt(curve, k)[0]));
    ctx.fill();
    begin += length;
  }
}

// Where new observations would lie, between dashed lines.
function drawNewBand(ctx, curve, px, py, ratio) {
  if (!curve.lowerNew) return;
  ctx.save();
  ctx.lineWidth = ratio;
  ctx.setLineDash([3 * ratio, 3 * ratio]);
  ctx.strokeStyle = colour("line");
  for (const ends of [curve.lowerNew, curve.upperNew]) {
    let begin = 0;
    for (const length of curve.lengths) {
      ctx.beginPath();
      for (let k = begin; k < begin + length; ++k)
        if (Number.isFinite(ends[k])) ctx.lineTo(px(curve.time[k]), py(ends[k]));
      ctx.stroke();
      begin += length;
    }
  }
  ctx.restore();
}

function drawArcs(ctx, curve, px, py, ratio, withNodes) {
  const starts = []; // of intervals; an event parts one into several arcs
  let begin = 0;
  ctx.lineJoin = "round";
  ctx.lineWidth = 1.9 * ratio;
  ctx.strokeStyle = colour("line");
  ctx.beginPath();
  curve.lengths.forEach((length, k) => {
    if (k === 0 || curve.intervals[k] !== curve.intervals[k - 1]) starts.push(begin);
    for (let i = begin; i < begin + length; ++i) {
      const x = px(curve.time[i]);
      const y = py(curve.value[i]);
      if (i === begin || !Number.isFinite(curve.value[i])) ctx.moveTo(x, y);
      else ctx.lineTo(x, y);
    }
    begin += length;
  });
  ctx.stroke();

  ctx.lineWidth = 1.3 * ratio;
  ctx.strokeStyle = colour("gap");
  ctx.beginPath();
  for (const k of starts.slice(1)) {
    if (k >= curve.time.length || curve.time[k - 1] !== curve.time[k]) continue; // one that did not arrive
    ctx.moveTo(px(curve.time[k]), py(curve.value[k - 1]));
    ctx.lineTo(px(curve.time[k]), py(curve.value[k]));
  }
  ctx.stroke();
  if (!withNodes || starts.length < 2 || starts.length > MOST_NODES) return;
  ctx.lineWidth = 1.5 * ratio;
  ctx.fillStyle = colour("paper");
  ctx.strokeStyle = colour("line");
  for (const k of starts) {
    ctx.beginPath();
    ctx.arc(px(curve.time[k]), py(curve.value[k]), 2.6 * ratio, 0, 2 * Math.PI);
    ctx.fill();
    ctx.stroke();
  }
}

// Is this validation measurement later than the solution goes?
function isBeyondTheFit(i) {
  const curve = SOLUTION.curves.of(VALIDATION.experiment[i], VALIDATION.observable[i]);
  return !curve || !(VALIDATION.time[i] <= curve.time[curve.time.length - 1]);
}

// From the end of the solution through what it says of later data.
function drawPrediction(ctx, curve, rows, px, py, ratio) {
  const later = rows.filter(isBeyondTheFit);
  if (later.length === 0) return;
  const last = curve ? curve.time.length - 1 : -1;
  ctx.save();
  ctx.lineWidth = 1.6 * ratio;
  ctx.setLineDash([5 * ratio, 4 * ratio]);
  ctx.strokeStyle = colour("line");
  ctx.beginPath();
  if (last >= 0) ctx.moveTo(px(curve.time[last]), py(curve.value[last]));
  for (const i of later) ctx.lineTo(px(VALIDATION.time[i]), py(VALIDATION.simulation[i]));
  ctx.stroke();
  ctx.restore();
}

// Of a value below or above a limit: an arrow from the limit to where it lies.
function drawLimits(ctx, set, rows, px, py, ratio) {
  ctx.lineWidth = 1.4 * ratio;
  ctx.beginPath();
  for (const i of rows) {
    const x = px(set.time[i]);
    const y = py(set.value[i]);
    const end = y - 11 * ratio * set.limit[i];
    ctx.moveTo(x - 4 * ratio, y);
    ctx.lineTo(x + 4 * ratio, y);
    ctx.moveTo(x, y);
    ctx.lineTo(x, end);
    ctx.moveTo(x - 3 * ratio, end + 4 * ratio * set.limit[i]);
    ctx.lineTo(x, end);
    ctx.lineTo(x + 3 * ratio, end + 4 * ratio * set.limit[i]);
  }
  ctx.stroke();
}

function drawData(ctx, set, rows, px, py, ratio, paint) {
  ctx.fillStyle = ctx.strokeStyle = paint;
  if (rows.length <= MANY_POINTS) {
    ctx.lineWidth = ratio;
    ctx.globalAlpha = rows.length > MANY_DATA ? 0.22 : 0.55;
    ctx.beginPath();
    for (const i of rows) {
      const [low, high] = errorBar(set, i);
      const x = px(set.time[i]);
      ctx.moveTo(x, py(low));
      ctx.lineTo(x, py(high));
    }
    ctx.stroke();
  }
  ctx.globalAlpha = rows.length > MANY_DATA ? 0.55 : 1;
  const numbers = set.limit ? rows.filter((i) => set.limit[i] === 0) : rows;
  dots(
    ctx,
    numbers.length,
    (k) => [px(set.time[numbers[k]]), py(set.value[numbers[k]])],
    (rows.length > MANY_DATA ? 1.7 : 2.7) * ratio,
  );
  if (set.limit) {
    const limits = rows.filter((i) => set.limit[i] !== 0);
    drawLimits(ctx, set, limits, px, py, ratio);
  }
  if (set === VALIDATION && rows.length <= MANY_DATA) {
    ctx.fillStyle = colour("paper"); // hollow, for eyes that do not see the colour
    dots(ctx, rows.length, (k) => [px(set.time[rows[k]]), py(set.value[rows[k]])], 1.3 * ratio);
  }
  ctx.globalAlpha = 1;
}

// What `of(k)` says of the points of a curve, between them at this time; NaN beyond its ends.
function curveAt(curve, time, of = (k) => curve.value[k]) {
  let low = 0;
  let high = curve.time.length - 1;
  if (!(time >= curve.time[low] && time <= curve.time[high])) return NaN;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (curve.time[middle] <= time) low = middle;
    else high = middle;
  }
  const span = curve.time[high] - curve.time[low];
  const share = span > 0 ? (time - curve.time[low]) / span : 0;
  return of(low) + share * (of(high) - of(low));
}
// Where the band of the solution begins and ends at this time.
function bandOf(experiment, observable, time) {
  const curve = SOLUTION.curves.of(experiment, observable);
  if (!curve || !curve.lower) return [NaN, NaN];
  return [0, 1].map((side) => curveAt(curve, time, (k) => (bandAt(curve, k) || [NaN, NaN])[side]));
}

// The row nearest to `time` among those from `low` to `high`, or -1.
function nearest(set, rows, time, low, high) {
  let best = -1;
  for (const i of rows)
    if (
      set.time[i] >= low &&
      set.time[i] <= high &&
      (best < 0 || Math.abs(set.time[i] - time) < Math.abs(set.time[best] - time))
    )
      best = i;
  return best;
}

function panelName(experiment, observable) {
  const name = PICTURES.observables[observable].id;
  return SEVERAL_EXPERIMENTS ? `${name}, ${PICTURES.experiments[experiment]}` : name;
}

function panelRows(experiment, observable) {
  const key = panelKey(experiment, observable);
  return [DATA_ROWS.get(key) || [], VALIDATION_ROWS.get(key) || []];
}

function makePanel(host, experiment, observable, isSmall = false) {
  const [rows, validationRows] = panelRows(experiment, observable);
  const curve = () => FRAMES[film.position].curves.of(experiment, observable);
  const solution = SOLUTION.curves.of(experiment, observable);
  const times = [
    rows.map((i) => DATA.time[i]),
    validationRows.map((i) => VALIDATION.time[i]),
    solution ? solution.time : [],
  ];
  const isLog = {time: logAxes.time, values: hasLogValues(experiment, observable)};
  const xRange = rangeOn(isLog.time ? LOG : LINEAR, 0.02, ...(isLog.time ? times.slice(0, 2) : times));
  const scale = isLog.values ? LOG : LINEAR;
  const yRange = logAxes.common
    ? commonRange(observable, scale)
    : panelRange(experiment, observable, rows, validationRows, scale);

  const draw = (u) =>
    clipped(u, (ctx, px, py, ratio) => {
      const now = curve();
      const isCrowded = rows.length > MANY_DATA;
      const data = () => {
        drawData(ctx, VALIDATION, validationRows, px, py, ratio, colour("validation"));
        drawData(ctx, DATA, rows, px, py, ratio, colour(isCrowded ? "faint" : "data"));
      };
      if (isCrowded) data();
      if (now) {
        drawBand(ctx, now, px, py);
        drawNewBand(ctx, now, px, py, ratio);
        drawArcs(ctx, now, px, py, ratio, !FRAMES[film.position].last || FIT.status !== "converged");
      }
      if (FRAMES[film.position].last) drawPrediction(ctx, now, validationRows, px, py, ratio);
      if (!isCrowded) data();
    });
  const tip = (u, time) => {
    const now = curve();
    const place = u.valToPos(time, "x");
    const near = [u.posToVal(place - 8, "x"), u.posToVal(place + 8, "x")];
    const lines = [];
    const fitted = nearest(DATA, rows, time, ...near);
    const predicted = nearest(VALIDATION, validationRows, time, ...near);
    const at = fitted >= 0 ? DATA.time[fitted] : predicted >= 0 ? VALIDATION.time[predicted] : time;
    lines.push(`time ${digits(at, 5)}`);
    const isPast = fitted < 0 && predicted >= 0 && FRAMES[film.position].last;
    const simulated = isPast ? VALIDATION.simulation[predicted] : now ? curveAt(now, at) : NaN;
    if (Number.isFinite(simulated)) lines.push(`${isPast ? "predicted" : "trajectory"} ${digits(simulated, 5)}`);
    if (fitted >= 0)
      lines.push(
        `measured ${digits(DATA.value[fitted], 5)} \u00b1 ${digits(DATA.sigma[fitted], 3)}`,
        `residual ${digits(DATA.residual[fitted], 3)}`,
      );
    if (predicted >= 0)
      lines.push(`held out ${digits(VALIDATION.value[predicted], 5)} \u00b1 ${digits(VALIDATION.sigma[predicted], 3)}`);
    return lines.join("\n");
  };
  const places = () =>
    [...rows.map((i) => DATA.time[i]), ...validationRows.map((i) => VALIDATION.time[i])].sort((a, b) => a - b);
  return chart(host, {
    height: isSmall ? SMALL_HEIGHT : PANEL_HEIGHT,
    label: `${panelName(experiment, observable)}: ${counted(rows.length, "measurement")} and the trajectory against time`,
    data: [xRange, [null, null]],
    options: {
      scales: {
        x: {time: false, distr: isLog.time ? 3 : 1, range: (u, low, high) => [low, high]},
        y: {distr: isLog.values ? 3 : 1, range: () => yRange},
      },
      axes: isSmall
        ? [axis("", {...(isLog.time ? logTicks : {}), size: 22}), axis("", isLog.values ? logTicks : {})]
        : [timeAxis(isLog.time), axis(PICTURES.observables[observable].axis, isLog.values ? logTicks : {})],
      series: [{}, {}],
      cursor: {sync: {key: "trajectories", setSeries: false}},
      hooks: {draw: [draw]},
    },
    tip,
    stops: places,
  });
}
