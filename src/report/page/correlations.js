// --- correlations ----------------------------------------------------------------------------------------------------

const MOST_NAMED = 60; // estimates

function correlationMatrix() {
  const {ids, matrix} = FIT.covariance;
  const keep = ids.map((_, i) => i).filter((i) => number(matrix[i][i]) > 0);
  const scale = keep.map((i) => Math.sqrt(number(matrix[i][i])));
  return {
    ids: keep.map((i) => ids[i]),
    values: keep.map((i, a) => keep.map((j, b) => number(matrix[i][j]) / (scale[a] * scale[b]))),
  };
}

function drawHeat(canvas, {ids, values}, cell, margin, width) {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = width * ratio;
  canvas.height = (margin + ids.length * cell + 10) * ratio;
  canvas.style.width = `${width}px`;
  const ctx = canvas.getContext("2d");
  ctx.scale(ratio, ratio);
  ctx.font = FONT;
  ctx.textBaseline = "middle";
  const named = cell >= 12;
  ids.forEach((id, k) => {
    if (!named) return;
    const name = id.length > 18 ? `${id.slice(0, 17)}\u2026` : id;
    ctx.fillStyle = colour("soft");
    ctx.textAlign = "right";
    ctx.fillText(name, margin - 8, margin + (k + 0.5) * cell);
    ctx.save();
    ctx.translate(margin + (k + 0.5) * cell, margin - 8);
    ctx.rotate(-Math.PI / (cell >= 44 ? 6 : 3));
    ctx.textAlign = "left";
    ctx.fillText(name, 0, 0);
    ctx.restore();
  });
  ctx.textAlign = "center";
  values.forEach((row, i) =>
    row.forEach((value, j) => {
      ctx.fillStyle = `rgba(${colour(value < 0 ? "warm" : "cold")}, ${Math.min(1, Math.abs(value)) ** 1.3 * 0.95})`;
      ctx.fillRect(
        margin + j * cell + 0.5,
        margin + i * cell + 0.5,
        cell - (cell > 6 ? 1 : 0),
        cell - (cell > 6 ? 1 : 0),
      );
      if (cell < 38) return;
      ctx.fillStyle = Math.abs(value) > 0.72 ? colour("paper") : colour("ink");
      ctx.fillText(withMinus(value.toFixed(2)), margin + (j + 0.5) * cell, margin + (i + 0.5) * cell);
    }),
  );
}

function strongest({ids, values}) {
  const pairs = [];
  for (let i = 0; i < ids.length; ++i) for (let j = 0; j < i; ++j) pairs.push([ids[j], ids[i], values[i][j]]);
  return pairs.sort((a, b) => Math.abs(b[2]) - Math.abs(a[2])).slice(0, 500);
}

function showCorrelations() {
  const matrix = correlationMatrix();
  if (matrix.ids.length < 2) return;
  const body = byId("correlations-body");
  const longest = Math.min(18, Math.max(...matrix.ids.map((id) => id.length)));
  const least = matrix.ids.length <= MOST_NAMED ? 18 : 2; // names need room, and the place scrolls
  const cell = Math.max(least, Math.min(56, Math.floor(Math.min(720, body.clientWidth - 140) / matrix.ids.length)));
  const margin = cell >= 12 ? 22 + 7 * longest : 8;
  const slanted = cell >= 12 ? 6 * longest - 0.5 * cell : 0; // what the last name needs on the right
  const width = margin + matrix.ids.length * cell + Math.max(10, slanted);
  const canvas = el("canvas", {
    class: "heat whole",
    role: "img",
    "aria-label": `Correlations of ${matrix.ids.length} estimates`,
  });
  const words = el("p", {class: "note", "aria-live": "polite"});
  const pairs = strongest(matrix);
  const tell = (a, b, value) => `${a} and ${b}: ${withMinus(value.toFixed(3))}`;
  const usual = `Strongest: ${pairs
    .slice(0, 3)
    .map((pair) => tell(...pair))
    .join(";  ")}.`;
  words.textContent = usual;
  canvas.addEventListener("mousemove", (event) => {
    const i = Math.floor((event.offsetY - margin) / cell);
    const j = Math.floor((event.offsetX - margin) / cell);
    const inside = i >= 0 && j >= 0 && i < matrix.ids.length && j < matrix.ids.length;
    words.textContent = inside ? tell(matrix.ids[i], matrix.ids[j], matrix.values[i][j]) : usual;
  });
  canvas.addEventListener("mouseleave", () => {
    words.textContent = usual;
  });
  body.append(
    words,
    el("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": "Correlations"}, canvas),
    asTable("Correlations, the strongest first", ["", "", "correlation"], () =>
      pairs.map(([a, b, value]) => [a, b, withMinus(value.toFixed(4))]),
    ),
  );
  whenSeen(byId("correlations"), () => {
    const paint = () => drawHeat(canvas, matrix, cell, margin, width);
    painters.add(paint);
    paint();
  });
}
