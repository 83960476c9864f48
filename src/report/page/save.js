// --- a chart as a file -----------------------------------------------------------------------------------------------

// Writes down what is drawn on a canvas as SVG: the part of a canvas that charts use.
class Recorder {
  constructor(canvas) {
    this.canvas = canvas;
    this.parts = [];
    this.defs = [];
    this.saved = [];
    this.state = {
      fillStyle: "#000",
      strokeStyle: "#000",
      lineWidth: 1,
      globalAlpha: 1,
      font: FONT,
      textAlign: "start",
      textBaseline: "alphabetic",
      lineJoin: "miter",
      lineCap: "butt",
      dashes: [],
      clip: null,
      move: "",
    };
    for (const name of Object.keys(this.state))
      if (!["dashes", "clip", "move"].includes(name))
        Object.defineProperty(this, name, {
          get: () => this.state[name],
          set: (value) => {
            this.state[name] = value;
          },
        });
    this.beginPath();
  }
  save() {
    this.saved.push({...this.state});
  }
  restore() {
    Object.assign(this.state, this.saved.pop());
  }
  setLineDash(dashes) {
    this.state.dashes = dashes.slice();
  }
  translate(x, y) {
    this.state.move += ` translate(${short(x)} ${short(y)})`;
  }
  rotate(angle) {
    this.state.move += ` rotate(${short((angle * 180) / Math.PI)})`;
  }
  setTransform() {
    this.state.move = "";
  }
  scale() {}
  clearRect() {
    this.parts = [];
  }
  beginPath() {
    this.path = new RecordedPath();
  }
  moveTo(x, y) {
    this.path.moveTo(x, y);
  }
  lineTo(x, y) {
    this.path.lineTo(x, y);
  }
  arc(...all) {
    this.path.arc(...all);
  }
  rect(...all) {
    this.path.rect(...all);
  }
  closePath() {
    this.path.closePath();
  }
  clip(path = this.path) {
    const id = `clip${this.defs.length}`;
    const outer = this.state.clip ? ` clip-path="url(#${this.state.clip})"` : "";
    this.defs.push(`<clipPath id="${id}"${outer}><path d="${path.text()}"/></clipPath>`);
    this.state.clip = id;
  }
  add(markup) {
    const {clip, move, globalAlpha} = this.state;
    const group =
      (clip ? ` clip-path="url(#${clip})"` : "") +
      (move ? ` transform="${move.trim()}"` : "") +
      (globalAlpha < 1 ? ` opacity="${short(globalAlpha)}"` : "");
    this.parts.push(group ? `<g${group}>${markup}</g>` : markup);
  }
  stroke(path = this.path) {
    const {strokeStyle, lineWidth, lineJoin, lineCap, dashes} = this.state;
    const dashed = dashes.length > 0 ? ` stroke-dasharray="${dashes.map(short).join(" ")}"` : "";
    this.add(
      `<path d="${path.text()}" fill="none" stroke="${strokeStyle}" stroke-width="${short(lineWidth)}" ` +
        `stroke-linejoin="${lineJoin}" stroke-linecap="${lineCap}"${dashed}/>`,
    );
  }
  fill(path = this.path) {
    this.add(`<path d="${path.text()}" fill="${this.state.fillStyle}"/>`);
  }
  fillRect(x, y, width, height) {
    this.add(
      `<rect x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}" fill="${this.state.fillStyle}"/>`,
    );
  }
  strokeText() {}
  fillText(text, x, y) {
    const {font, fillStyle, textAlign, textBaseline} = this.state;
    const anchor = {center: "middle", right: "end", end: "end"}[textAlign] || "start";
    const line = {top: "hanging", middle: "central", bottom: "text-after-edge"}[textBaseline] || "alphabetic";
    this.add(
      `<text x="${short(x)}" y="${short(y)}" fill="${fillStyle}" text-anchor="${anchor}" dominant-baseline="${line}" ` +
        `style="font:${escaped(font)}">${escaped(String(text))}</text>`,
    );
  }
  measureText(text) {
    return {width: 6.5 * String(text).length};
  }
  svg(title) {
    const {width, height} = this.canvas;
    return (
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
      `<title>${escaped(title)}</title><rect width="100%" height="100%" fill="${colour("paper")}"/>` +
      `<defs>${this.defs.join("")}</defs>${this.parts.join("")}</svg>`
    );
  }
}
class RecordedPath {
  constructor(other) {
    this.steps = other ? other.steps.slice() : [];
  }
  moveTo(x, y) {
    this.steps.push(`M${short(x)} ${short(y)}`);
  }
  lineTo(x, y) {
    this.steps.push(`${this.steps.length === 0 ? "M" : "L"}${short(x)} ${short(y)}`);
  }
  rect(x, y, width, height) {
    this.steps.push(`M${short(x)} ${short(y)}h${short(width)}v${short(height)}h${short(-width)}Z`);
  }
  arc(x, y, radius) {
    // Charts draw whole circles only.
    const r = short(radius);
    this.steps.push(
      `M${short(x - radius)} ${short(y)}a${r} ${r} 0 1 0 ${short(2 * radius)} 0a${r} ${r} 0 1 0 ${short(-2 * radius)} 0`,
    );
  }
  closePath() {
    this.steps.push("Z");
  }
  addPath(other) {
    this.steps.push(...other.steps);
  }
  text() {
    return this.steps.join("");
  }
}
const short = (value) => String(Math.round(100 * value) / 100);
const escaped = (text) =>
  text.replace(/[&<>"]/g, (letter) => ({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})[letter]);

// The chart is drawn once more, on a canvas that writes down. It stands where the other does on its axes.
async function chartAsSvg(host, title) {
  const canvasContext = HTMLCanvasElement.prototype.getContext;
  const Path = window.Path2D;
  const ratio = window.devicePixelRatio || 1;
  let recorder = null;
  HTMLCanvasElement.prototype.getContext = function () {
    recorder = recorder || new Recorder(this);
    return recorder;
  };
  window.Path2D = RecordedPath;
  try {
    const {u, draw} = host.drawAgain();
    const copy = draw();
    copy.setScale("x", {min: u.scales.x.min, max: u.scales.x.max});
    await new Promise((drawn) => window.setTimeout(drawn, 0));
    const text = recorder.svg(title);
    copy.destroy();
    return ratio === 1
      ? text
      : text.replace(/width="(\d+)" height="(\d+)"/, (_, w, h) => `width="${w / ratio}" height="${h / ratio}"`);
  } finally {
    HTMLCanvasElement.prototype.getContext = canvasContext;
    window.Path2D = Path;
  }
}

function chartAsPng(host) {
  const drawn = host.querySelector("canvas");
  const canvas = el("canvas", {width: drawn.width, height: drawn.height});
  const ctx = canvas.getContext("2d");
  ctx.fillStyle = colour("paper");
  ctx.fillRect(0, 0, canvas.width, canvas.height);
  ctx.drawImage(drawn, 0, 0);
  return new Promise((made) => canvas.toBlob(made, "image/png"));
}

function download(content, name) {
  const address = URL.createObjectURL(content);
  const link = el("a", {href: address, download: name});
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(address), 1000);
}
function fileName(title, ending) {
  return `${
    title
      .replace(/[^\p{L}\p{N}]+/gu, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 60) || "chart"
  }.${ending}`;
}

// Buttons that save the chart in `host`.
function saveButtons(host, title) {
  const button = (kind, make) =>
    el(
      "button",
      {
        type: "button",
        class: "quiet small",
        "aria-label": `Save ${title} as ${kind}`,
        title: `Save as ${kind}`,
        onclick: async () => {
          if (host.drawAgain) download(await make(), fileName(title, kind.toLowerCase()));
        },
      },
      kind,
    );
  return el(
    "span",
    {class: "save"},
    button("SVG", async () => new Blob([await chartAsSvg(host, title)], {type: "image/svg+xml"})),
    button("PNG", () => chartAsPng(host)),
  );
}
