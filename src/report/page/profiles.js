// --- profiles --------------------------------------------------------------------------------------------------------

const SUBDIVISIONS = 8; // of the way between two points, along which the root of the rise is a straight line

// Does a number go through so many powers of ten that only their logarithm shows it?
const spansDecades = (values) => values[0] > 0 && values[values.length - 1] / values[0] > 100;

// Values and twice the rise of the objective, fine enough to look smooth on the axis.
function profileCurve(profile) {
  const least = Math.min(...profile.points.map((point) => number(point.objective)));
  const estimate = number(profile.estimate);
  const nodes = profile.points.map((point) => {
    const value = number(point.value);
    const rise = Math.max(0, 2 * (number(point.objective) - least));
    return [value, Math.sign(value - estimate) * Math.sqrt(rise)];
  });
  const scale = spansDecades(nodes.map(([x]) => x)) ? LOG : LINEAR;
  const value = [];
  const rise = [];
  nodes.forEach(([x, z], k) => {
    if (k > 0)
      for (let i = 1; i < SUBDIVISIONS; ++i) {
        const [x0, z0] = nodes[k - 1];
        const share = i / SUBDIVISIONS;
        value.push(scale.from(scale.to(x0) + share * (scale.to(x) - scale.to(x0))));
        rise.push((z0 + share * (z - z0)) ** 2);
      }
    value.push(x);
    rise.push(z * z);
  });
  return {value, rise, nodes: nodes.map(([x, z]) => [x, z * z])};
}

function errorOf(id) {
  for (const estimate of [...FIT.parameters, ...FIT.initial])
    if (estimateName(estimate) === id) return number(estimate.standard_error);
  return NaN;
}

function nearestPoint(profile, x) {
  let best = profile.points[0];
  for (const point of profile.points)
    if (Math.abs(number(point.value) - x) < Math.abs(number(best.value) - x)) best = point;
  return best;
}

// Where on the path the trajectories below are.
function drawHere(ctx, u, path, px, ratio) {
  if (path.frames.length < 2) return;
  const x = px(number(path.here().point.value));
  ctx.save();
  ctx.lineWidth = 1.6 * ratio;
  ctx.globalAlpha = 0.7;
  ctx.strokeStyle = colour("line");
  ctx.beginPath();
  ctx.moveTo(x, u.bbox.top);
  ctx.lineTo(x, u.bbox.top + u.bbox.height);
  ctx.stroke();
  ctx.restore();
}

function profileChart(host, profile, path) {
  const {value, rise, nodes} = profileCurve(profile);
  const end = 2 * number(profile.rise);
  const estimate = number(profile.estimate);
  const error = errorOf(profile.id);
  const isLog = spansDecades(value);
  const xRange = rangeOn(isLog ? LOG : LINEAR, 0.04, value);
  const yRange = [-0.04 * end, 1.45 * end];
  const drawExtras = (u) =>
    clipped(u, (ctx, px, py, ratio) => {
      ctx.lineWidth = ratio;
      ctx.strokeStyle = colour("soft");
      ctx.beginPath();
      ctx.moveTo(px(xRange[0]), py(end));
      ctx.lineTo(px(xRange[1]), py(end));
      for (const limit of profile.interval) {
        if (limit === null) continue;
        ctx.moveTo(px(number(limit)), py(yRange[0]));
        ctx.lineTo(px(number(limit)), py(end));
      }
      ctx.stroke();
      if (error > 0 && !isLog) {
        ctx.strokeStyle = colour("gap");
        ctx.setLineDash([5 * ratio, 4 * ratio]);
        ctx.beginPath();
        for (let k = 0; k <= 60; ++k) {
          const x = xRange[0] + (k / 60) * (xRange[1] - xRange[0]);
          ctx.lineTo(px(x), py(((x - estimate) / error) ** 2));
        }
        ctx.stroke();
        ctx.setLineDash([]);
      }
      drawHere(ctx, u, path, px, ratio);
      ctx.fillStyle = colour("line");
      dots(ctx, nodes.length, (i) => [px(nodes[i][0]), py(nodes[i][1])], 2.6 * ratio);
    });
  return chart(host, {
    height: 210,
    label: `Profile of ${profile.id}: twice the rise of the objective against its value`,
    data: [value, rise],
    options: {
      scales: {x: {time: false, distr: isLog ? 3 : 1, range: () => xRange}, y: {range: () => yRange}},
      axes: [axis(profile.id, {...(isLog ? logTicks : {}), size: 28}), axis("twice the rise")],
      series: [{}, {stroke: () => colour("line"), width: 1.9, points: {show: false}}],
      hooks: {draw: [drawExtras]},
      cursor: {drag: {x: false, y: false}},
    },
    tip: (u, x) => {
      const point = nearestPoint(profile, x);
      const others = Object.entries(point.others).slice(0, 8);
      return [
        `${profile.id} ${digits(number(point.value), 5)}`,
        `rise ${digits(number(point.objective) - number(FIT.objective), 4)}`,
        ...others.map(([id, other]) => `${id} ${digits(number(other), 5)}`),
      ].join("\n");
    },
    stops: () => profile.points.map((point) => number(point.value)),
  });
}

// The other quantities on the way, in their standard errors from the estimate, in decades where the value itself goes
// through several; those that move most.
const MOST_PATHS = 6;
function pathsOf(profile) {
  const x = profile.points.map((point) => number(point.value));
  const isLog = spansDecades(x);
  const paths = Object.keys(profile.points[0].others)
    .map((id) => {
      const values = profile.points.map((point) => number(point.others[id]));
      const centre = values[x.indexOf(number(profile.estimate))] ?? values[0];
      const error = errorOf(id);
      const unit = error > 0 ? error : Math.abs(centre) || 1;
      const hasRatios = isLog && values.every((value) => value / centre > 0);
      const moved = values.map((value) => (hasRatios ? Math.log10(value / centre) : (value - centre) / unit));
      return {id, moved, unit: hasRatios ? "decades" : "errors", most: Math.max(...moved.map(Math.abs))};
    })
    .sort((a, b) => b.most - a.most)
    .slice(0, MOST_PATHS);
  return {x, isLog, paths};
}
const unitOfPaths = (paths) =>
  paths.every(({unit}) => unit === paths[0].unit) ? `moved, in ${paths[0].unit}` : "moved, in errors or decades";
function pathsChart(host, profile, path) {
  const {x, isLog, paths} = pathsOf(profile);
  const xRange = rangeOn(isLog ? LOG : LINEAR, 0.04, x);
  const yRange = withAir(extent(...paths.map((path) => path.moved)), 0.08);
  return chart(host, {
    height: 170,
    label: `The others along the profile of ${profile.id}`,
    data: [x, ...paths.map((path) => path.moved)],
    options: {
      scales: {x: {time: false, distr: isLog ? 3 : 1, range: () => xRange}, y: {range: () => yRange}},
      axes: [axis(profile.id, {...(isLog ? logTicks : {}), size: 28}), axis(unitOfPaths(paths))],
      series: [
        {},
        ...paths.map((_, k) => ({stroke: () => seriesColour(k), width: 1.6, points: {show: false}})),
      ],
      hooks: {draw: [(u) => clipped(u, (ctx, px, py, ratio) => drawHere(ctx, u, path, px, ratio))]},
      cursor: {drag: {x: false, y: false}},
    },
    tip: (u, at) => {
      const point = nearestPoint(profile, at);
      const k = profile.points.indexOf(point);
      return [
        `${profile.id} ${digits(number(point.value), 5)}`,
        ...paths.map((path) => `${path.id} ${digits(path.moved[k], 3)} ${path.unit}`),
      ].join("\n");
    },
    stops: () => x,
  });
}

function showProfiles() {
  const profiles = FIT.profiles || [];
  if (profiles.length === 0) return;
  const body = byId("profiles-body");
  if (FIT.profile_sentence) body.append(el("p", {}, FIT.profile_sentence));
  body.append(
    el(
      "p",
      {class: "note"},
      "Each number is held at other values and everything else is fitted again. Where the curve crosses the line " +
        `lie the ends of its ${digits(100 * number(FIT.profile_level), 4)} % interval; the dashed parabola is what the ` +
        "standard error says. Below it, how the others follow, in their own standard errors, or in decades on a " +
        "logarithmic axis. The slider walks along: below it the trajectories there, the best ones dashed.",
    ),
  );
  const grid = el("div", {class: "pair"});
  body.append(grid);
  for (const [k, profile] of profiles.entries()) {
    const rise = el("div");
    const paths = el("div");
    const trajectories = el("div", {class: "moving"});
    const path = pathOf(profile, k);
    const hasOthers = Object.keys(profile.points[0].others).length > 0;
    const figureElement = el(
      "figure",
      {class: "panel profile"},
      el(
        "figcaption",
        {},
        el("b", {}, profile.id),
        el("span", {}, profile.verdict),
        saveButtons(rise, `Profile of ${profile.id}`),
      ),
      el("p", {class: profile.verdict === "identifiable" ? "note" : "note strong"}, profile.sentence),
      rise,
      hasOthers ? paths : null,
      hasOthers ? saveButtons(paths, `The others along ${profile.id}`) : null,
      hasOthers ? colourLegend(pathsOf(profile).paths.map(({id}) => id)) : null,
      alongControls(profile, path),
      trajectories,
      asTable(`Profile of ${profile.id}`, ["value", "objective"], () =>
        profile.points.map((point) => [digits(number(point.value), 7), digits(number(point.objective), 8)]),
      ),
    );
    grid.append(figureElement);
    whenSeen(figureElement, () => {
      const charts = [profileChart(rise, profile, path)];
      if (hasOthers) charts.push(pathsChart(paths, profile, path));
      path.watchers.add(() => charts.forEach((one) => one.redraw()));
      if (path.frames.length > 1) alongPanels(trajectories, profile, path);
    });
  }
}
