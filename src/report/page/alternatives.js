// --- other answers ---------------------------------------------------------------------------------------------------

const MOST_VALUES = 40;

// Answers that fit as well as the one above, or nearly: how each differs, and its values.
function showAlternatives() {
  const others = FIT.alternatives || [];
  if (others.length === 0) return;
  const names = Object.keys(others[0].parameters);
  const shown = names.slice(0, MOST_VALUES);
  const place = el("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": "Table of other answers"});
  place.append(
    table(
      "Other answers",
      ["", "objective", ...shown],
      others.map((other) => [
        other.sentence,
        digits(number(other.objective), 6),
        ...shown.map((name) => digits(number(other.parameters[name]), 5)),
      ]),
      [0],
    ),
  );
  byId("alternatives-body").append(
    el(
      "p",
      {class: "note"},
      `The data do not tell ${others.length === 1 ? "this answer" : "these answers"} from the one above, ` +
        `whose objective is ${digits(number(FIT.objective), 6)}.`,
    ),
    place,
  );
  if (shown.length < names.length)
    byId("alternatives-body").append(
      el("p", {class: "note"}, `The first ${MOST_VALUES} of ${names.length} values; all of them are in fit.json.`),
    );
}
