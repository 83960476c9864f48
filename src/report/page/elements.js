// --- elements --------------------------------------------------------------------------------------------------------

// An element with attributes and children. Texts become text, never markup.
function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

function svg(width, height, ...parts) {
  const space = "http://www.w3.org/2000/svg";
  const picture = document.createElementNS(space, "svg");
  for (const [name, value] of Object.entries({width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true"}))
    picture.setAttribute(name, value);
  for (const [tag, attributes] of parts) {
    const part = document.createElementNS(space, tag);
    for (const [name, value] of Object.entries(attributes)) part.setAttribute(name, value);
    picture.append(part);
  }
  return picture;
}

function byId(id) {
  return document.getElementById(id);
}

// rows: lists of texts or elements. Columns named in `texts` are set from the left.
function table(caption, heads, rows, texts = []) {
  const kind = (i) => (texts.includes(i) ? "text" : null);
  return el(
    "table",
    {},
    el("caption", {class: "sr"}, caption),
    el("thead", {}, el("tr", {}, ...heads.map((head, i) => el("th", {scope: "col", class: kind(i)}, head)))),
    el("tbody", {}, ...rows.map((row) => el("tr", {}, ...row.map((cell, i) => el("td", {class: kind(i)}, cell))))),
  );
}

// What a chart shows, for those who would rather read it. It is made when it is opened.
const MOST_ROWS = 1000;
function asTable(caption, heads, rowsOf) {
  const details = el("details", {}, el("summary", {}, "As a table"));
  details.addEventListener("toggle", () => {
    if (!details.open || details.childElementCount > 1) return;
    const rows = rowsOf();
    const place = el("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": `${caption}, as a table`});
    place.append(table(caption, heads, rows.slice(0, MOST_ROWS)));
    details.append(place);
    if (rows.length > MOST_ROWS)
      details.append(
        el(
          "p",
          {class: "note"},
          `The first ${MOST_ROWS} of ${rows.length.toLocaleString("en")} rows; ` +
            "all of them are in the tables beside this page.",
        ),
      );
  });
  return details;
}

function choice(label, names, chosen, use) {
  const select = el(
    "select",
    {onchange: () => use(select.value)},
    ...names.map(([value, text]) => el("option", {value, selected: value === chosen}, text)),
  );
  return {element: el("label", {}, label, select), select};
}
