// --- the trajectories along a profile --------------------------------------------------------------------------------

const MOST_ALONG = 4; // panels of one profile: those that move most

// Where one stands on the path of a profile, among the points whose trajectories are known; whoever draws it listens.
function pathOf(profile, k) {
  const frames = ((PICTURES.profiles || [])[k] || []).map((frame) => ({
    point: profile.points[frame.point],
    curves: new Curves(frame.curves),
  }));
  const rise = (frame) => number(frame.point.objective);
  const best = frames.reduce((least, frame, i) => (rise(frame) < rise(frames[least]) ? i : least), 0);
  return {
    frames,
    best: frames[best],
    position: best,
    watchers: new Set(),
    here() {
      return this.frames[this.position];
    },
    show(position) {
      this.position = position;
      for (const watcher of this.watchers) watcher();
    },
  };
}

// How far a panel goes from the best trajectory, as a part of what it shows there.
function movedAlong(path, experiment, observable) {
  const best = path.best.curves.of(experiment, observable);
  if (!best) return 0;
  const [rows] = panelRows(experiment, observable);
  const [low, high] = extent(
    best.value,
    rows.map((i) => DATA.value[i]),
  );
  let most = 0;
  for (const frame of path.frames) {
    const curve = frame.curves.of(experiment, observable);
    for (let i = 0; curve && i < curve.time.length; ++i)
      most = Math.max(most, Math.abs(curve.value[i] - curveAt(best, curve.time[i])) || 0);
  }
  return most / (high - low || Math.abs(high) || 1);
}
function panelsAlong(path) {
  return allPanels()
    .map(([experiment, observable]) => ({experiment, observable, moved: movedAlong(path, experiment, observable)}))
    .sort((a, b) => b.moved - a.moved)
    .slice(0, MOST_ALONG);
}

// Data and everything that lies on the path, but of curves that run far away as much as keeps company with the data.
function rangeAlong(path, experiment, observable, rows, scale) {
  const on = (values) => Array.from(values, scale.to);
  const ends = rows.flatMap((i) => [...errorBar(DATA, i), DATA.value[i]]);
  const of = (frame) => {
    const curve = frame.curves.of(experiment, observable);
    return curve ? on(curve.value) : [];
  };
  const core = extent(on(ends), of(path.best));
  const whole = extent(on(ends), ...path.frames.map(of));
  const room = 0.6 * (core[1] - core[0]);
  return withAir([Math.max(whole[0], core[0] - room), Math.min(whole[1], core[1] + room)]).map(scale.from);
}

function alongChart(host, profile, path, {experiment, observable}) {
  const [rows] = panelRows(experiment, observable);
  const best = path.best.curves.of(experiment, observable);
  const now = () => path.here().curves.of(experiment, observable);
  const isLog = {time: logAxes.time, values: hasLogValues(experiment, observable)};
  const times = rows.map((i) => DATA.time[i]);
  const xRange = rangeOn(isLog.time ? LOG : LINEAR, 0.02, times, isLog.time || !best ? [] : best.time);
  const yRange = rangeAlong(path, experiment, observable, rows, isLog.values ? LOG : LINEAR);
  const drawLine = (ctx, curve, px, py) => {
    let begin = 0;
    ctx.beginPath();
    for (const length of curve.lengths) {
      for (let i = begin; i < begin + length; ++i)
        ctx[i === begin ? "moveTo" : "lineTo"](px(curve.time[i]), py(curve.value[i]));
      begin += length;
    }
    ctx.stroke();
  };
  const draw = (u) =>
    clipped(u, (ctx, px, py, ratio) => {
      ctx.lineJoin = "round";
      if (best) {
        ctx.lineWidth = 1.2 * ratio;
        ctx.strokeStyle = colour("faint");
        ctx.setLineDash([4 * ratio, 4 * ratio]);
        drawLine(ctx, best, px, py);
        ctx.setLineDash([]);
      }
      drawData(ctx, DATA, rows, px, py, ratio, colour(rows.length > MANY_DATA ? "faint" : "data"));
      if (!now()) return;
      ctx.lineWidth = 1.9 * ratio;
      ctx.strokeStyle = colour("line");
      drawLine(ctx, now(), px, py);
    });
  return chart(host, {
    height: SMALL_HEIGHT,
    label: `${panelName(experiment, observable)} along the profile of ${profile.id}, against time`,
    data: [xRange, [null, null]],
    options: {
      scales: {
        x: {time: false, distr: isLog.time ? 3 : 1, range: () => xRange},
        y: {distr: isLog.values ? 3 : 1, range: () => yRange},
      },
      axes: [
        axis("", {...(isLog.time ? logTicks : {}), size: 22}),
        axis("", isLog.values ? logTicks : {}),
      ],
      series: [{}, {}],
      hooks: {draw: [draw]},
      cursor: {drag: {x: false, y: false}},
    },
    tip: (u, time) => {
      const curve = now();
      const values = [curve, best].map((of) => (of ? curveAt(of, time) : NaN));
      return [
        `time ${digits(time, 4)}`,
        `here ${digits(values[0], 4)}`,
        `best ${digits(values[1], 4)}`,
      ].join("\n");
    },
    stops: () => times,
  });
}

function wordsAlong(profile, path) {
  const {point} = path.here();
  const rise = number(point.objective) - number(path.best.point.objective);
  return {
    name: `${profile.id} ${digits(number(point.value), 4)}`,
    figures: path.here() === path.best ? "the best fit" : `rise ${digits(rise, 3)}`,
  };
}

// The slider, and below it the panels that move. Nothing where no trajectories are known.
function alongControls(profile, path) {
  if (path.frames.length < 2) return null;
  const words = el("output");
  const slider = el("input", {
    type: "range",
    min: 0,
    max: path.frames.length - 1,
    step: 1,
    value: path.position,
    "aria-label": `Along the profile of ${profile.id}`,
    oninput: () => path.show(Number(slider.value)),
  });
  const update = () => {
    const {name, figures} = wordsAlong(profile, path);
    slider.setAttribute("aria-valuetext", `${name}, ${figures}`);
    words.replaceChildren(el("b", {}, name), ` \u00b7 ${figures}`);
  };
  path.watchers.add(update);
  update();
  return el("div", {class: "along", role: "group", "aria-label": `Along the profile of ${profile.id}`}, slider, words);
}
function alongPanels(place, profile, path) {
  let charts = [];
  const draw = () => {
    for (const old of charts) old.destroy();
    charts = [];
    const hosts = panelsAlong(path).map((panel) => [el("div"), panel]);
    place.replaceChildren(
      ...hosts.map(([host, {experiment, observable}]) =>
        el("div", {class: "panel"}, el("small", {}, panelName(experiment, observable)), host),
      ),
    );
    charts = hosts.map(([host, panel]) => alongChart(host, profile, path, panel));
  };
  draw();
  logAxes.watchers.add(draw);
  path.watchers.add(() => charts.forEach((one) => one.redraw()));
}
