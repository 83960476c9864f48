// --- the film: from the first trajectories to the joined ones --------------------------------------------------------

const film = {
  position: FRAMES.length - 1,
  timer: 0,
  watchers: new Set(), // called when the position has changed
  show(position) {
    this.position = Math.max(0, Math.min(FRAMES.length - 1, position));
    for (const watcher of this.watchers) watcher();
  },
  showIteration(iteration) {
    let best = 0;
    FRAMES.forEach((frame, k) => {
      if (Math.abs(frame.iteration - iteration) < Math.abs(FRAMES[best].iteration - iteration)) best = k;
    });
    this.stop();
    this.show(best);
  },
  play() {
    if (this.position === FRAMES.length - 1) this.show(0);
    const pause = Math.max(90, Math.min(500, 5000 / FRAMES.length));
    this.timer = window.setInterval(() => {
      this.show(this.position + 1);
      if (this.position === FRAMES.length - 1) this.stop();
    }, pause);
    for (const watcher of this.watchers) watcher();
  },
  stop() {
    window.clearInterval(this.timer);
    this.timer = 0;
    for (const watcher of this.watchers) watcher();
  },
};

function frameWords() {
  const frame = FRAMES[film.position];
  const point = TRACE_AT.get(frame.iteration);
  const name = frame.last
    ? FIT.status === "converged"
      ? "Solution"
      : "Where it ended"
    : frame.iteration === 0
      ? "Start"
      : `Iteration ${frame.iteration} of ${FIT.iterations}`;
  const objective = frame.last ? number(FIT.objective) : point ? point.objective : NaN;
  const gap = frame.last ? number(FIT.gap) : point ? point.gap : NaN;
  return {name, figures: `objective ${digits(objective, 5)}, largest gap ${digits(gap, 2)}`};
}

function filmControls() {
  if (FRAMES.length < 2) return null;
  const button = el("button", {
    type: "button",
    class: "primary",
    id: "play",
    onclick: () => (film.timer ? film.stop() : film.play()),
  });
  const slider = el("input", {
    type: "range",
    id: "frame",
    min: 0,
    max: FRAMES.length - 1,
    step: 1,
    value: film.position,
    "aria-label": "Iteration",
    oninput: () => {
      const wanted = Number(slider.value);
      film.stop();
      film.show(wanted);
    },
  });
  const words = el("output", {for: "frame", id: "frame-words"});
  const update = () => {
    const {name, figures} = frameWords();
    button.textContent = film.timer ? "Pause" : "\u25b6 Play";
    slider.value = film.position;
    slider.setAttribute("aria-valuetext", `${name}, ${figures}`);
    words.replaceChildren(el("b", {}, name), ` \u00b7 ${figures}`);
  };
  film.watchers.add(update);
  update();
  return el(
    "div",
    {class: "film", role: "group", "aria-label": "From the start to the solution"},
    button,
    slider,
    words,
  );
}
