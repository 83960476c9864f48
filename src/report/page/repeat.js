// --- to repeat it ----------------------------------------------------------------------------------------------------

function commandLine(command) {
  const button = el(
    "button",
    {
      type: "button",
      class: "quiet",
      onclick: async () => {
        try {
          await navigator.clipboard.writeText(command);
          button.textContent = "Copied";
        } catch {
          window.getSelection().selectAllChildren(code);
          button.textContent = "Selected";
        }
      },
    },
    "Copy",
  );
  const code = el("code", {id: "command"}, command);
  return el("div", {class: "command"}, el("pre", {}, code), button);
}

function showRepeat() {
  const {run} = PICTURES;
  const {work} = FIT;
  const body = byId("repeat-body");
  if (run.command) body.append(commandLine(run.command));
  const count = (value) => value.toLocaleString("en");
  const facts = [
    ["version", `salvo ${run.version}`],
    ["seed", String(run.seed)],
    ["threads", `${run.threads} (any number gives the same result)`],
    [
      "method",
      `${FIT.method}, derivatives by ${FIT.derivatives}, integrator ${FIT.integrator}, ${counted(FIT.nodes, "node")}`,
    ],
    ["time", seconds(number(work.seconds))],
    [
      "work",
      `${count(work.trajectories)} trajectories of one interval, ${count(work.tangents)} tangents, ${count(work.adjoints)} adjoints, ` +
        `${count(work.rhs)} right-hand sides`,
    ],
  ];
  body.append(table("The run", ["", ""], facts, [1]));
  if (run.files.length > 0)
    body.append(
      el("h3", {style: "margin-top:22px"}, "Input files"),
      el(
        "ul",
        {class: "files"},
        ...run.files.map((file) =>
          el("li", {}, el("b", {}, file.name), el("code", {}, `sha256 ${file.sha256 || "not readable"}`)),
        ),
      ),
    );
}

showOutcome();
showTrajectories();
showMaps();
showInputs();
showEstimates();
showAlternatives();
showConvergence();
showResiduals();
showProfiles();
showCorrelations();
showStarts();
showRepeat();
showContents();
