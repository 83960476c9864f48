// --- what was recorded -----------------------------------------------------------------------------------------------

const FIT = JSON.parse(byId("fit-json").textContent);
const PICTURES = JSON.parse(byId("pictures-json").textContent);

function bytes(text) {
  const letters = atob(text);
  const out = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; ++i) out[i] = letters.charCodeAt(i);
  return out.buffer;
}
const doubles = (text) => new Float64Array(bytes(text));
const floats = (text) => new Float32Array(bytes(text));
const integers = (text) => new Int32Array(bytes(text));

const shorts = (text) => new Uint16Array(bytes(text));

// Each time once and which of them, or all of them; likewise panels and sigmas.
function decodedTimes(data) {
  if (data.time !== undefined) return doubles(data.time);
  const times = doubles(data.times);
  return Float64Array.from(shorts(data.at), (k) => times[k]);
}
function decodedPanels(data) {
  if (data.panel === undefined) return [integers(data.experiment), integers(data.observable)];
  const panels = shorts(data.panel);
  const observables = PICTURES.observables.length;
  return [Int32Array.from(panels, (k) => Math.floor(k / observables)), Int32Array.from(panels, (k) => k % observables)];
}

function decodedData(data) {
  const [experiment, observable] = decodedPanels(data);
  return {
    count: data.count,
    experiment,
    observable,
    time: decodedTimes(data),
    value: floats(data.value),
    sigma: data.sigmas ? Float32Array.from(observable, (o) => number(data.sigmas[o])) : floats(data.sigma),
    simulation: floats(data.simulation),
    residual: floats(data.residual),
    limit: data.limit ? integers(data.limit) : null, // -1: below the value, 1: above it
    // Of long data only what can be seen is here: how many measurements each of these stands for.
    weight: data.weight ? integers(data.weight) : null,
    measured: data.measured === undefined ? data.count : data.measured,
  };
}
const DATA = decodedData(PICTURES.data);
const VALIDATION = decodedData(PICTURES.validation);
const weightOf = (set, i) => (set.weight ? set.weight[i] : 1);
const OVER_SPACE = PICTURES.over === "space"; // what stands where time does
const SEVERAL_EXPERIMENTS = PICTURES.experiments.length > 1;

function isLogarithmic(observable) {
  return PICTURES.observables[observable].distribution.startsWith("log-");
}
function errorBar(set, i) {
  const value = set.value[i];
  const sigma = set.limit && set.limit[i] !== 0 ? 0 : set.sigma[i];
  if (!(sigma > 0) || !Number.isFinite(sigma)) return [value, value];
  return isLogarithmic(set.observable[i])
    ? [value * Math.exp(-sigma), value * Math.exp(sigma)]
    : [value - sigma, value + sigma];
}

// Rows of a set by panel, in the order of time.
const panelKey = (experiment, observable) => experiment * PICTURES.observables.length + observable;
function rowsByPanel(set) {
  const rows = new Map();
  for (let i = 0; i < set.count; ++i) {
    const key = panelKey(set.experiment[i], set.observable[i]);
    if (!rows.has(key)) rows.set(key, []);
    rows.get(key).push(i);
  }
  for (const list of rows.values()) list.sort((a, b) => set.time[a] - set.time[b]);
  return rows;
}
const DATA_ROWS = rowsByPanel(DATA);
const VALIDATION_ROWS = rowsByPanel(VALIDATION);

// The trajectories of one experiment in one frame, decoded when they are first drawn.
class Curves {
  constructor(list) {
    this.byExperiment = new Map(list.map((curve) => [curve.experiment, curve]));
    this.decoded = new Map();
  }
  decode(key, make) {
    if (!this.decoded.has(key)) this.decoded.set(key, make());
    return this.decoded.get(key);
  }
  end(curve, side, experiment, observable) {
    if (!curve[side]) return null;
    return this.decode(`${side}${experiment},${observable}`, () => floats(curve[side][observable]));
  }
  // {time, lengths and intervals of its arcs, value, lower and upper of the band, and of new observations, or null}, or
  // null where there are none
  of(experiment, observable) {
    const curve = this.byExperiment.get(experiment);
    if (!curve || observable >= curve.value.length) return null;
    return {
      time: this.decode(`t${experiment}`, () => doubles(curve.time)),
      lengths: this.decode(`l${experiment}`, () => integers(curve.lengths)),
      intervals: this.decode(`i${experiment}`, () => integers(curve.intervals)),
      value: this.decode(`v${experiment},${observable}`, () => floats(curve.value[observable])),
      lower: this.end(curve, "lower", experiment, observable),
      upper: this.end(curve, "upper", experiment, observable),
      lowerNew: this.end(curve, "lower_new", experiment, observable),
      upperNew: this.end(curve, "upper_new", experiment, observable),
    };
  }
}

// The way to the solution. The last frame is the solution itself, with its band.
const FRAMES = PICTURES.film
  .filter((frame, k) => k === 0 || frame.iteration < FIT.iterations)
  .map((frame) => ({iteration: frame.iteration, curves: new Curves(frame.curves), last: false}));
FRAMES.push({iteration: FIT.iterations, curves: new Curves(PICTURES.solution), last: true});
const SOLUTION = FRAMES[FRAMES.length - 1];

const TRACE = FIT.trace.map((point) => ({
  iteration: point.iteration,
  objective: number(point.objective),
  gap: number(point.gap),
  step: number(point.step),
}));
const TRACE_AT = new Map(TRACE.map((point) => [point.iteration, point]));
