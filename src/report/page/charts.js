// --- charts ----------------------------------------------------------------------------------------------------------

const FONT =
  '12px "Inter", -apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", "Helvetica Neue", Arial, sans-serif';

function axis(label, more = {}) {
  return {
    stroke: () => colour("soft"),
    font: FONT,
    labelFont: FONT,
    label: label || undefined,
    labelSize: 16,
    labelGap: 0,
    grid: {stroke: () => colour("grid"), width: 1},
    ticks: {stroke: () => colour("rule"), width: 1, size: 5},
    splits: (u, k, low, high) => linearTicks(low, high, k === 0 ? u.bbox.width / 76 : u.bbox.height / 32),
    values: (u, ticks) => tickTexts(ticks),
    size: (u, values, k) => (k === 0 ? 28 : 18 + 7 * Math.max(2, ...(values || []).map((text) => text.length))),
    ...more,
  };
}
const timeAxis = (isLog = false) => axis(PICTURES.time || "time", {...(isLog ? logTicks : {}), size: 28});
// Multiples of 1, 2 or 5 times a power of ten, about as many as wanted, whatever the size of the numbers.
function linearTicks(low, high, wanted) {
  const ratio = window.devicePixelRatio || 1;
  const rough = (high - low) / Math.max(2, wanted / ratio);
  if (!(rough > 0) || !Number.isFinite(rough)) return [low];
  const exponent = Math.floor(Math.log10(rough));
  const [factor, power] = [
    [1, exponent],
    [2, exponent],
    [5, exponent],
    [1, exponent + 1],
  ].find(([of, to]) => Number(`${of}e${to}`) >= rough * (1 - 1e-9));
  const step = Number(`${factor}e${power}`);
  const ticks = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k)
    ticks.push(Number(`${k * factor}e${power}`)); // 3 * 0.1 is not 0.3, but 3e-1 is
  return ticks;
}
// uPlot takes an x axis shorter than 1e-16 for empty: such numbers are put on it in another unit.
const powerOfTen = (span) => Number(`1e${Math.floor(Math.log10(span))}`);
const inUnit = (unit) => ({values: (u, ticks) => tickTexts(ticks.map((tick) => tick * unit))});
// As many digits as tell neighbours apart.
function tickTexts(ticks) {
  const known = ticks.filter((tick) => tick !== null);
  const size = Math.max(...known.map(Math.abs), 0);
  const step = known.length > 1 ? Math.abs(known[1] - known[0]) : size;
  const count = step > 0 && size > 0 ? Math.ceil(Math.log10(size / step)) + 2 : 6;
  return ticks.map((tick) => (tick === null ? "" : digits(tick, Math.max(6, Math.min(15, count)))));
}
// Powers of ten, not more than seven of them; where there are less than two, their halves and fifths as well.
const logTicks = {
  size: 58,
  filter: (u, ticks) => ticks,
  splits: (u, k, low, high) => {
    const first = Math.ceil(Math.log10(low) - 1e-9);
    const last = Math.floor(Math.log10(high) + 1e-9);
    const stride = Math.ceil((last - first + 1) / 7);
    const ticks = [];
    for (let exponent = last; exponent >= first; exponent -= stride) ticks.unshift(Number(`1e${exponent}`));
    if (ticks.length > 1) return ticks;
    return [first - 1, first]
      .flatMap((exponent) => [1, 2, 5].map((factor) => Number(`${factor}e${exponent}`)))
      .filter((tick) => tick >= low && tick <= high);
  },
  // Plain numbers where all of them are short, powers of ten otherwise.
  values: (u, ticks) => {
    const areShort = ticks.every((tick) => tick >= 1e-3 && tick <= 1e4);
    return ticks.map((tick) => {
      const exponent = Math.log10(tick);
      return areShort || tick === 1 || exponent % 1 !== 0 ? digits(tick, 1) : `1e${exponent}`;
    });
  },
};

function extent(...lists) {
  let low = Infinity;
  let high = -Infinity;
  for (const list of lists)
    for (const value of list)
      if (Number.isFinite(value) && Math.abs(value) < 1e150) {
        if (value < low) low = value;
        if (value > high) high = value;
      }
  return low <= high ? [low, high] : [0, 1];
}
const LOG = {to: Math.log10, from: (value) => 10 ** value};
const LINEAR = {to: (value) => value, from: (value) => value};
// The extent of the lists, with air, measured on one of these two scales. A logarithm leaves out what has none.
function rangeOn(scale, share, ...lists) {
  const on = lists.map((list) => Array.from(list, scale.to));
  return withAir(extent(...on), share).map(scale.from);
}
function withAir([low, high], share = 0.05) {
  const span = high - low || Math.abs(high) || 1;
  return [low - share * span, high + share * span];
}

// One chart in `host`: it follows the width of its place and the colours of the page, shows `tip(u, x, y)` (a text or
// null) at the cursor, and lets the arrow keys walk along `stops(u)` (values of x).
function chart(host, {height = 250, data, options, tip, stops, label, onclick}) {
  host.classList.add("plot");
  // Where arrow keys walk, a screen reader must hand them over.
  host.setAttribute("role", stops ? "application" : "img");
  if (stops) host.setAttribute("aria-roledescription", "chart; arrow keys go from point to point");
  host.setAttribute("aria-label", label);
  host.tabIndex = 0;
  const bubble = el("div", {class: "tip", hidden: true, role: "status"});
  const pointAt = (u) => [u.posToVal(u.cursor.left, "x"), u.posToVal(u.cursor.top, "y")];
  let isHere = false;
  const showTip = (u) => {
    const {left, top} = u.cursor;
    const text = isHere && tip && left >= 0 ? tip(u, ...pointAt(u)) : null;
    bubble.hidden = !text;
    if (!text) return;
    bubble.textContent = text;
    const room = host.clientWidth;
    const x = left + u.over.offsetLeft;
    bubble.style.left = `${x > room / 2 ? Math.max(0, x - bubble.offsetWidth - 12) : x + 12}px`;
    bubble.style.top = `${Math.max(0, (top < 0 ? 20 : top) + u.over.offsetTop - bubble.offsetHeight - 8)}px`;
  };
  const plain = {legend: {show: false}, padding: [10, 10, 0, 0], ...options};
  const u = new uPlot(
    {
      ...plain,
      width: Math.max(host.clientWidth, 120),
      height,
      cursor: {points: {show: false}, drag: {x: true, y: false, dist: 6}, ...options.cursor},
      hooks: {...options.hooks, setCursor: [showTip]},
    },
    data,
    host,
  );
  host.drawAgain = () => ({u, draw: () => new uPlot({...plain, width: u.width, height, cursor: {show: false}}, data)});
  host.append(bubble);
  host.addEventListener("mouseenter", () => {
    isHere = true;
  });
  host.addEventListener("mouseleave", () => {
    isHere = false;
    bubble.hidden = true;
  });
  host.addEventListener("focus", () => {
    isHere = true;
  });
  host.addEventListener("blur", () => {
    isHere = false;
    bubble.hidden = true;
  });
  if (onclick) u.over.addEventListener("click", () => onclick(...pointAt(u)));
  if (stops) host.addEventListener("keydown", (event) => walk(u, event, stops(u)));

  const watcher = new ResizeObserver(() => {
    const width = Math.max(host.clientWidth, 120);
    if (Math.abs(width - u.width) >= 1) u.setSize({width, height});
  });
  watcher.observe(host);
  const paint = () => u.redraw(false, true);
  painters.add(paint);
  return {
    u,
    redraw() {
      u.redraw(false, false);
      showTip(u); // what it says may have changed
    },
    destroy() {
      watcher.disconnect();
      painters.delete(paint);
      u.destroy();
      bubble.remove();
    },
  };
}

function walk(u, event, places) {
  const direction = {ArrowLeft: -1, ArrowRight: 1}[event.key];
  if (!direction || places.length === 0) return;
  event.preventDefault();
  const now = u.cursor.left >= 0 ? u.posToVal(u.cursor.left, "x") : direction > 0 ? -Infinity : Infinity;
  const isBeyond = (x) => direction * (u.valToPos(x, "x") - u.valToPos(now, "x")) > 1e-3;
  const beyond = places.filter((x) => !Number.isFinite(now) || isBeyond(x));
  if (beyond.length === 0) return;
  const x = direction > 0 ? beyond[0] : beyond[beyond.length - 1];
  u.setCursor({left: u.valToPos(x, "x"), top: u.over.clientHeight / 2});
}

// Drawing in the plane of the data: the functions below are called inside uPlot's `draw` hook.
function clipped(u, draw) {
  const {ctx, bbox} = u;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  draw(
    ctx,
    (x) => limited(u.valToPos(x, "x", true)),
    (y) => limited(u.valToPos(y, "y", true)),
    window.devicePixelRatio || 1,
  );
  ctx.restore();
}
const limited = (pixel) => Math.max(-1e5, Math.min(1e5, pixel));

const MANY_POINTS = 3000;
function dots(ctx, count, at, radius) {
  if (count > MANY_POINTS) {
    const side = Math.max(1.5, radius);
    for (let i = 0; i < count; ++i) {
      const [x, y] = at(i);
      if (Number.isFinite(y)) ctx.fillRect(x - side / 2, y - side / 2, side, side);
    }
    return;
  }
  ctx.beginPath();
  for (let i = 0; i < count; ++i) {
    const [x, y] = at(i);
    if (!Number.isFinite(y)) continue;
    ctx.moveTo(x + radius, y);
    ctx.arc(x, y, radius, 0, 2 * Math.PI);
  }
  ctx.fill();
}

// Names beside the colours of their series.
function colourLegend(names) {
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
