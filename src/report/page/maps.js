// --- fields over space and time --------------------------------------------------------------------------------------

// Viridis, of matplotlib: as light as it is large, for every eye, on light and on dark paper.
const RAMP = [
  [68, 1, 84],
  [71, 44, 122],
  [59, 81, 139],
  [44, 113, 142],
  [33, 144, 141],
  [39, 173, 129],
  [92, 200, 99],
  [170, 220, 50],
  [253, 231, 37],
];
function onRamp(share) {
  const at = Math.max(0, Math.min(1, share)) * (RAMP.length - 1);
  const below = Math.min(Math.floor(at), RAMP.length - 2);
  return RAMP[below].map((c, k) => Math.round(c + (at - below) * (RAMP[below + 1][k] - c)));
}
const rampColour = (share) => `rgb(${onRamp(share).join(",")})`;

function decodedMap(map) {
  const data = {place: doubles(map.data.place), time: doubles(map.data.time), value: floats(map.data.value)};
  const out = {place: doubles(map.place), time: doubles(map.time), value: floats(map.value), data};
  let low = Infinity;
  let high = -Infinity;
  for (const list of [out.value, data.value])
    for (const value of list)
      if (Number.isFinite(value)) {
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
  return Object.assign(out, {low, high: high > low ? high : low + 1});
}

// The values as a picture of one pixel each, which the browser makes smooth.
function mapImage(map) {
  const canvas = el("canvas", {width: map.place.length, height: map.time.length});
  const context = canvas.getContext("2d");
  const image = context.createImageData(canvas.width, canvas.height);
  for (let k = 0; k < map.time.length; ++k)
    for (let i = 0; i < map.place.length; ++i) {
      const value = map.value[k * map.place.length + i];
      const pixel = 4 * ((map.time.length - 1 - k) * map.place.length + i);
      image.data.set([...onRamp((value - map.low) / (map.high - map.low)), Number.isFinite(value) ? 255 : 0], pixel);
    }
  context.putImageData(image, 0, 0);
  return canvas.toDataURL();
}

function roundTicks(from, to, most) {
  const rough = (to - from) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough * (1 - 1e-9));
  const ticks = [];
  for (let k = Math.ceil(from / step - 1e-9); k * step <= to + 1e-9 * step; ++k) ticks.push(Number((k * step).toPrecision(12)));
  return ticks;
}

const MAP = {width: 420, height: 280, left: 52, right: 66, top: 8, bottom: 42};
function mapFigure(given) {
  const map = decodedMap(given);
  const right = MAP.width - MAP.right;
  const bottom = MAP.height - MAP.bottom;
  const places = [map.place[0], map.place[map.place.length - 1]];
  const times = [map.time[0], map.time[map.time.length - 1]];
  const x = (place) => MAP.left + ((place - places[0]) / (places[1] - places[0])) * (right - MAP.left);
  const y = (time) => bottom - ((time - times[0]) / (times[1] - times[0])) * (bottom - MAP.top);
  const parts = [
    [
      "image",
      {
        href: mapImage(map),
        x: MAP.left,
        y: MAP.top,
        width: right - MAP.left,
        height: bottom - MAP.top,
        preserveAspectRatio: "none",
      },
    ],
  ];
  const texts = [];
  const text = (words, attributes) => texts.push([words, {fill: "var(--soft)", "font-size": 11, ...attributes}]);
  for (const tick of roundTicks(...places, 5)) text(digits(tick, 6), {x: x(tick), y: bottom + 15, "text-anchor": "middle"});
  for (const tick of roundTicks(...times, 5)) text(digits(tick, 6), {x: MAP.left - 6, y: y(tick) + 4, "text-anchor": "end"});
  text(given.place_name, {x: right, y: bottom + 32, "text-anchor": "end"});
  text(given.time_name, {transform: `translate(11 ${MAP.top}) rotate(-90)`, "text-anchor": "end"});
  const bar = right + 12;
  const steps = 32;
  for (let k = 0; k < steps; ++k) {
    const height = (bottom - MAP.top) / steps;
    parts.push([
      "rect",
      {x: bar, y: bottom - (k + 1) * height, width: 10, height: height + 0.4, fill: rampColour((k + 0.5) / steps)},
    ]);
  }
  for (const tick of roundTicks(map.low, map.high, 5))
    text(digits(tick, 4), {
      x: bar + 14,
      y: bottom - ((tick - map.low) / (map.high - map.low)) * (bottom - MAP.top) + 4,
    });
  const {data} = map;
  for (let i = 0; i < data.value.length; ++i)
    if (data.time[i] >= times[0] && data.time[i] <= times[1])
      parts.push([
        "circle",
        {
          class: "map-data",
          cx: x(data.place[i]),
          cy: y(data.time[i]),
          r: 3.2,
          fill: rampColour((data.value[i] - map.low) / (map.high - map.low)),
          stroke: "#ffffff",
          "stroke-width": 1,
        },
      ]);
  const picture = svg(MAP.width, MAP.height, ...parts, ...texts.map(([, attributes]) => ["text", attributes]));
  const written = picture.querySelectorAll("text");
  texts.forEach(([words], k) => (written[k].textContent = words));
  picture.classList.add("map");
  picture.removeAttribute("aria-hidden");
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", `${given.name} over ${given.place_name} and ${given.time_name}`);
  const rows = () => {
    const list = [];
    for (let k = 0; k < map.time.length; ++k)
      for (let i = 0; i < map.place.length; ++i)
        list.push([map.time[k], map.place[i], map.value[k * map.place.length + i]].map((value) => digits(value, 6)));
    return list;
  };
  return el(
    "figure",
    {class: "panel"},
    el("figcaption", {}, el("b", {}, given.name)),
    picture,
    asTable(`${given.name} over space and time`, [given.time_name, given.place_name, given.name], rows),
  );
}

function showMaps() {
  byId("maps").hidden = !PICTURES.maps;
  if (!PICTURES.maps) return;
  byId("maps-body").append(
    el("p", {class: "note"}, "The field at the solution; circles are data, in the colours of the map."),
    el("div", {class: "pair"}, ...PICTURES.maps.map(mapFigure)),
  );
}
