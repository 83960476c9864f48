// --- inputs: known functions of time ---------------------------------------------------------------------------------

const INPUTS = (PICTURES.inputs || []).map((input) => ({
  ...input,
  time: doubles(input.time),
  value: floats(input.value),
}));
const MOST_INPUT_NAMES = 3; // of the experiments that share a curve

function inputName(input) {
  if (!SEVERAL_EXPERIMENTS || input.experiments.length === PICTURES.experiments.length) return input.id;
  const names = input.experiments.slice(0, MOST_INPUT_NAMES).map((e) => PICTURES.experiments[e]);
  const more = input.experiments.length - names.length;
  return `${input.id}, ${names.join(", ")}${more > 0 ? ` and ${counted(more, "other")}` : ""}`;
}

function drawInput(u, input) {
  clipped(u, (ctx, px, py, ratio) => {
    ctx.lineWidth = 1.7 * ratio;
    ctx.lineJoin = "round";
    ctx.strokeStyle = seriesColour(2);
    ctx.beginPath();
    for (let k = 0; k < input.time.length; ++k) {
      const x = px(input.time[k]);
      if (k === 0) ctx.moveTo(x, py(input.value[k]));
      if (k > 0 && input.steps) ctx.lineTo(x, py(input.value[k - 1]));
      if (k > 0) ctx.lineTo(x, py(input.value[k]));
    }
    ctx.stroke();
  });
}

function inputPanel(input) {
  const host = el("div");
  const name = inputName(input);
  const element = el(
    "figure",
    {class: "panel"},
    el("figcaption", {}, el("b", {}, name), el("span", {}, "input"), saveButtons(host, name)),
    host,
    asTable(name, ["time", input.id], () =>
      Array.from(input.time, (time, k) => [digits(time, 6), digits(input.value[k], 6)]),
    ),
  );
  const xRange = rangeOn(LINEAR, 0.02, input.time);
  const yRange = withAir(extent(input.value));
  const draw = () =>
    chart(host, {
      height: 180,
      label: `The input ${name} against time`,
      data: [xRange, [null, null]],
      options: {
        scales: {x: {time: false, range: (u, low, high) => [low, high]}, y: {range: () => yRange}},
        axes: [timeAxis(), axis(input.id)],
        series: [{}, {}],
        hooks: {draw: [(u) => drawInput(u, input)]},
      },
      tip: (u, time) => {
        const k = input.time.findLastIndex((at) => at <= time);
        return k < 0 ? null : `time ${digits(input.time[k], 5)}\n${input.id} ${digits(input.value[k], 5)}`;
      },
    });
  return {element, draw};
}

function showInputs() {
  const panels = INPUTS.map(inputPanel);
  byId("inputs-body").append(...panels.map((panel) => panel.element));
  if (panels.length > 0) whenSeen(byId("inputs"), () => panels.forEach((panel) => panel.draw()));
}
