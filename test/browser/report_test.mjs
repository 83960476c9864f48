// The report of real fits in a real browser: node --test report_test.mjs
import assert from "node:assert/strict";
import {copyFileSync, mkdirSync, readFileSync, writeFileSync} from "node:fs";
import path from "node:path";
import {after, before, test} from "node:test";
import {openBrowser, openReport, project, readJson, salvo, salvoWithoutAnswer, temporaryFolder} from "./browser.mjs";

const folder = temporaryFolder();
const example = path.join(project, "examples/lotka-volterra");
let browser;
let fit;

before(async () => {
  browser = await openBrowser();
  for (const name of ["lotka-volterra.yaml", "measurements.csv"])
    copyFileSync(path.join(example, name), path.join(folder, name));
  salvo(folder, "fit", "lotka-volterra.yaml", "--out", "plain.fit");
  fit = readJson(folder, "plain.fit", "fit.json");
});
after(() => browser.close());

const plain = () => openReport(browser, path.join(folder, "plain.fit"));

// A number as the page writes it, and how far it may be off: half a unit of its last digit.
function read(text) {
  const clean = text.replace("\u2212", "-").replace(/,/g, "");
  const [mantissa, exponent = "0"] = clean.split("e");
  const decimals = (mantissa.split(".")[1] || "").length;
  return {value: Number(clean), tolerance: 0.5000001 * 10 ** (Number(exponent) - decimals)};
}
function assertShows(text, number, what) {
  const {value, tolerance} = read(text);
  assert.ok(Math.abs(value - number) <= tolerance, `${what}: the page says ${text}, fit.json ${number}`);
}

async function scrollThrough(page) {
  const height = await page.evaluate(() => document.body.scrollHeight);
  for (let y = 0; y <= height; y += 700) {
    await page.evaluate((to) => window.scrollTo(0, to), y);
    await page.waitForTimeout(50);
  }
}

// The rows of the first table of a section; it is made a moment after it was opened.
async function openedTable(page, section) {
  const details = page.locator(`${section} details`).first();
  await details.locator("summary").click();
  await details.locator("tbody tr").first().waitFor();
  return details.locator("tbody tr");
}

test("the page opens from disk without an error and without asking for anything", async () => {
  const {page, troubles, milliseconds} = await plain();
  await scrollThrough(page);
  assert.deepEqual(troubles, []);
  assert.ok((await page.locator("canvas").count()) >= 8);
  console.log(`# interactive after ${Math.round(milliseconds)} ms`);
  await page.close();
});

test("the numbers shown are those of fit.json", async () => {
  const {page} = await plain();
  assert.equal(await page.locator("h1").textContent(), "Predator and prey");
  assert.match(await page.locator("#outcome").textContent(), /Converged\s*after \d+ iterations/);
  const rows = await page.locator("#estimates tbody tr").all();
  const estimates = [...fit.parameters, ...fit.initial];
  assert.equal(rows.length, estimates.length);
  for (const [k, row] of rows.entries()) {
    const cells = await row.locator("td").allTextContents();
    assert.equal(cells[0], estimates[k].id);
    assertShows(cells[1], estimates[k].estimate, cells[0]);
    assertShows(cells[2], estimates[k].standard_error, `error of ${cells[0]}`);
    assert.equal(cells[3].endsWith(" *"), estimates[k].interval_kind === "likelihood", `mark of ${cells[0]}`);
    const [low, high] = cells[3].replace(" *", "").split(" \u2026 ");
    assertShows(low, estimates[k].interval[0], `lower end of ${cells[0]}`);
    assertShows(high, estimates[k].interval[1], `upper end of ${cells[0]}`);
  }
  const figure = (name) =>
    page
      .locator("#figures > div", {hasText: name})
      .locator("dd")
      .evaluate((dd) => dd.firstChild.textContent);
  assertShows(await figure("\u03c7\u00b2"), fit.chi2, "chi2");
  assertShows(await figure("log-likelihood"), fit.llh, "llh");
  assertShows(await figure("AIC"), fit.aic, "aic");
  assertShows(await figure("p-value"), fit.p_value, "p");
  const worst = fit.by_observable.reduce((least, each) => (each.fit < least.fit ? each : least));
  assertShows((await figure("fit")).replace(" %", ""), worst.fit, "fit");
  assertShows(await figure("R\u00b2"), worst.r2, "R2");
  assert.match(await page.locator("#figures").textContent(), /RMSE/);
  assert.doesNotMatch(await page.locator("#figures").textContent(), /gap|gain/); // these stand below
  await page.locator("#proof summary").click();
  assert.match(await page.locator("#proof").textContent(), /largest gap.*gain of a further step/);
  await page.close();
});

test("the slider goes from broken trajectories to joined ones", async () => {
  const {page, troubles} = await plain();
  const slider = page.locator("#frame");
  const words = page.locator("#frame-words");
  const picture = () =>
    page
      .locator(".plot canvas")
      .first()
      .evaluate((canvas) => canvas.toDataURL());
  assert.match(await words.textContent(), /^Solution/);
  const solution = await picture();
  await slider.fill("0");
  assert.match(await words.textContent(), /^Start/);
  assertShows(
    (await words.textContent()).match(/objective (\S+),/)[1],
    fit.trace[0].objective,
    "objective at the start",
  );
  assertShows((await words.textContent()).match(/gap (\S+)/)[1], fit.trace[0].gap, "gap at the start");
  await page.waitForTimeout(50);
  assert.notEqual(await picture(), solution);
  await slider.focus();
  await page.keyboard.press("ArrowRight");
  assert.match(await words.textContent(), /^Iteration 1 of/);
  assert.match(await slider.getAttribute("aria-valuetext"), /^Iteration 1 of/);
  await page.locator("#play").click();
  await page.waitForFunction(() => document.getElementById("frame-words").textContent.startsWith("Solution"));
  await page.waitForTimeout(50);
  assert.equal(await picture(), solution);
  assert.deepEqual(troubles, []);
  await page.close();
});

test("the cursor tells the measurement it is near to", async () => {
  const {page} = await plain();
  const row = readFileSync(path.join(folder, "plain.fit/residuals.csv"), "utf8")
    .split("\n")
    .map((line) => line.split(","))
    .find((cells) => cells[1] === "predator" && cells[2] === "3");
  const plot = page.locator(".plot").first();
  const over = plot.locator(".u-over");
  const box = await over.boundingBox();
  await page.mouse.move(box.x + (box.width * (3 + 0.2)) / 10.4, box.y + box.height / 2);
  const tip = await plot.locator(".tip").textContent();
  assert.match(tip, /^time 3\n/);
  assertShows(tip.match(/measured (\S+) /)[1], Number(row[3]), "the measurement");
  assertShows(tip.match(/residual (\S+)$/)[1], Number(row[6]), "its residual");
  await page.close();
});

test("the keyboard reaches every measurement, and tables stand in for charts", async () => {
  const {page} = await plain();
  const plot = page.locator(".plot").first();
  await plot.focus();
  for (let k = 0; k < 3; ++k) await page.keyboard.press("ArrowRight");
  assert.match(await plot.locator(".tip").textContent(), /^time 2\n/);
  assert.equal(await (await openedTable(page, "#trajectories")).count(), 11);
  for (const image of await page.locator("[role=img], [role=application]").all())
    assert.ok(await image.getAttribute("aria-label"));
  for (const control of await page.locator("select, input").all())
    assert.ok(await control.evaluate((node) => node.labels.length > 0 || node.getAttribute("aria-label")));
  await page.close();
});

test("colours follow the system and the button", async () => {
  const {page} = await openReport(browser, path.join(folder, "plain.fit"), {scheme: "dark"});
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await paper();
  await page.locator("#theme").click();
  assert.equal(await page.locator("html").getAttribute("data-theme"), "light");
  assert.notEqual(await paper(), dark);
  await page.emulateMedia({media: "print"});
  assert.equal(await page.locator("#play").isVisible(), false);
  await page.close();
});

test("the page fits a narrow window", async () => {
  const {page, troubles} = await openReport(browser, path.join(folder, "plain.fit"), {width: 380});
  await scrollThrough(page);
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 380);
  assert.deepEqual(troubles, []);
  await page.close();
});

const long = "x".repeat(200);
const hostile = `</script><script>window.broken = 1; alert(1)</script><img src=x onerror="window.broken = 1">`;

test("experiments are chosen by name, and hostile names stay text", async () => {
  writeFileSync(
    path.join(folder, "two.yaml"),
    `title: ${JSON.stringify(hostile)}
equations: {x: -k*x}
parameters: {k: {guess: 1}}
observables: {seen: {formula: x, noise: 0.1}}
data: two.csv
validation: later.csv
experiments:
  low: {initial: {x: 1}}
  high: {initial: {x: 3}}
  ${long}: {initial: {x: 2}}
`,
  );
  const rows = (from, to, name, size) =>
    Array.from({length: to - from}, (_, k) => `${(from + k) / 4},${name},${size * Math.exp(-(from + k) / 8)}`);
  writeFileSync(
    path.join(folder, "two.csv"),
    ["time,experiment,seen", ...rows(1, 9, "low", 1.1), ...rows(1, 9, "high", 2.9), ...rows(1, 9, long, 2)].join("\n"),
  );
  writeFileSync(path.join(folder, "later.csv"), ["time,experiment,seen", ...rows(9, 12, "high", 2.9)].join("\n"));
  salvo(folder, "fit", "two.yaml", "--out", "two.fit");
  const {page, troubles} = await openReport(browser, path.join(folder, "two.fit"));
  await scrollThrough(page);
  assert.equal(await page.locator("h1").textContent(), hostile);
  assert.ok((await page.title()).startsWith(hostile));
  assert.equal(await page.evaluate(() => window.broken), undefined);
  assert.equal(await page.locator("img").count(), 0);
  assert.equal(await page.locator("#trajectories .panel").count(), 3);
  await page.locator("#choose-experiment").selectOption({label: "high"});
  assert.equal(await page.locator("#trajectories .panel").count(), 1);
  assert.equal(await page.locator("#trajectories figcaption span").first().textContent(), "high");
  assert.match(await page.locator("#validation").textContent(), /^Of 3 measurements that were held out/);
  await page.evaluate(() => window.scrollTo(0, 0));
  const plot = page.locator("#trajectories .plot").first();
  await plot.focus();
  await page.keyboard.press("ArrowLeft");
  const later = readFileSync(path.join(folder, "two.fit/residuals.csv"), "utf8")
    .split("\n")
    .map((line) => line.split(","))
    .find((cells) => cells[8] === "validation" && cells[2] === "2.75");
  assertShows((await plot.locator(".tip").textContent()).match(/predicted (\S+)/)[1], Number(later[4]), "forecast");
  assert.deepEqual(troubles, []);
  await page.close();
  const narrow = await openReport(browser, path.join(folder, "two.fit"), {width: 360});
  await scrollThrough(narrow.page);
  assert.ok((await narrow.page.evaluate(() => document.documentElement.scrollWidth)) <= 360);
  await narrow.page.close();
});

test("a fit from several starts shows where they ended", async () => {
  salvo(folder, "fit", "two.yaml", "--starts", "5", "--out", "starts.fit");
  const {page, troubles} = await openReport(browser, path.join(folder, "starts.fit"));
  await scrollThrough(page);
  const {starts} = readJson(folder, "starts.fit", "fit.json");
  assert.equal(await (await openedTable(page, "#starts")).count(), starts.length);
  assert.deepEqual(troubles, []);
  await page.close();
});

test("other answers that fit as well are listed, and only where there are any", async () => {
  writeFileSync(
    path.join(folder, "exchanged.yaml"),
    `equations: {x: -a*x, y: -b*y}
initial: {x: 1, y: 1}
parameters: {a: {guess: 1.5, bounds: [0.01, 10]}, b: {guess: 0.2, bounds: [0.01, 10]}}
observables: {sum: {formula: x + y, noise: 0.001}}
data: exchanged.csv
`,
  );
  const sums = Array.from({length: 12}, (_, k) => [0.5 * k, Math.exp(-k) + Math.exp(-0.15 * k)]);
  writeFileSync(path.join(folder, "exchanged.csv"), ["time,sum", ...sums.map((row) => row.join(","))].join("\n"));
  salvo(folder, "fit", "exchanged.yaml", "--starts", "8", "--out", "exchanged.fit");
  const {alternatives, optima} = readJson(folder, "exchanged.fit", "fit.json");
  assert.equal(alternatives.length, 1);
  const {page, troubles} = await openReport(browser, path.join(folder, "exchanged.fit"));
  const cells = await page.locator("#alternatives tbody tr").first().locator("td").allTextContents();
  assert.equal(cells[0], alternatives[0].sentence);
  assertShows(cells[1], alternatives[0].objective, "its objective");
  for (const [k, id] of ["a", "b"].entries()) assertShows(cells[k + 2], alternatives[0].parameters[id], id);
  const found = await page.locator("#starts .note").first().textContent();
  assert.match(found, new RegExp(`best of ${optima.length} distinct`));
  assert.deepEqual(troubles, []);
  await page.close();

  writeFileSync(
    path.join(folder, "decay.yaml"),
    "equations: {x: -k*x}\ninitial: {x: 1}\nparameters: {k: {guess: 0.3}}\nobservables: {seen: {formula: x, noise: 0.1}}\ndata: decay.csv\n",
  );
  writeFileSync(path.join(folder, "decay.csv"), "time,seen\n1,0.7\n2,0.44\n3,0.35\n4,0.2\n");
  salvo(folder, "fit", "decay.yaml", "--out", "decay.fit");
  const {page: without} = await openReport(browser, path.join(folder, "decay.fit"));
  assert.equal(await without.locator("#alternatives").isVisible(), false);
  await without.close();
});

test("what the data cannot see and what stands at a bound is named", async () => {
  writeFileSync(
    path.join(folder, "product.yaml"),
    `equations: {x: -k*x}
initial: {x: 1}
parameters: {k: {guess: 0.3, bounds: [0, 0.4]}, a: {guess: 1}, b: {guess: 2}}
observables: {seen: {formula: a*b*x, noise: 0.05}}
data: product.csv
`,
  );
  writeFileSync(path.join(folder, "product.csv"), "time,seen\n0.5,2.3\n1,1.9\n2,1.1\n3,0.7\n4,0.38\n");
  salvo(folder, "fit", "product.yaml", "--out", "product.fit");
  const {page, troubles} = await openReport(browser, path.join(folder, "product.fit"));
  assert.match(
    await page.locator("#estimates .note").first().textContent(),
    /a change of a by .* and b by .* together/,
  );
  assert.deepEqual(await page.locator("#estimates .chip").allTextContents(), [
    "at upper bound",
    "not identifiable",
    "not identifiable",
  ]);
  assert.equal(await page.locator("#correlations").isVisible(), false);
  assert.deepEqual(troubles, []);
  await page.close();
});

// Two experiments of two observables, one of which was not measured in the first; and what the model was given.
async function twoExperiments() {
  writeFileSync(
    path.join(folder, "rows.yaml"),
    `equations: {x: -k*x + 0*warmth}
initial: {x: 1}
parameters: {k: {guess: 2}, gain: 10}
observables: {seen: {formula: x, noise: 0.05}, large: {formula: gain*x, noise: 0.5}}
inputs: {warmth: {data: warmth.csv, column: warmth}}
data: rows.csv
experiments: {weak: {}, strong: {set: {gain: 100}}}
`,
  );
  writeFileSync(path.join(folder, "warmth.csv"), "time,warmth\n0,3\n5,7\n11,4\n");
  const rows = ["time,observable,value,experiment"];
  for (let t = 1; t <= 11; ++t) {
    const x = Math.exp(-0.3 * t) * (1 + 0.02 * (-1) ** t);
    rows.push(`${t},large,${10 * x},weak`, `${t},seen,${x},strong`, `${t},large,${100 * x},strong`);
  }
  writeFileSync(path.join(folder, "rows.csv"), rows.join("\n"));
  salvo(folder, "fit", "rows.yaml", "--out", "rows.fit");
  return openReport(browser, path.join(folder, "rows.fit"));
}

test("every experiment is a row, and observables stand below each other", async () => {
  const {page, troubles} = await twoExperiments();
  await scrollThrough(page);
  const places = await page.locator("#trajectories .panel").evaluateAll((panels) =>
    panels.map((panel) => {
      const box = panel.getBoundingClientRect();
      return {name: panel.querySelector("figcaption").textContent, left: box.left, top: box.top + window.scrollY};
    }),
  );
  const at = (name) => places.find((place) => place.name.startsWith(name));
  assert.equal(places.length, 3);
  assert.equal(at("largeweak").left, at("largestrong").left);
  assert.ok(at("seenstrong").left < at("largestrong").left);
  assert.equal(at("seenstrong").top, at("largestrong").top);
  assert.ok(at("largeweak").top < at("seenstrong").top);
  assert.deepEqual(troubles, []);
  await page.close();
});

test("panels of an observable have common values if somebody asks for them, and positive data logarithms", async () => {
  const {page, troubles} = await twoExperiments();
  await scrollThrough(page);
  const weak = page.locator("#trajectories .panel", {hasText: "weak"}).locator("canvas").first();
  const picture = () => weak.evaluate((canvas) => canvas.toDataURL());
  for (const box of ["#common-values", "#log-values"]) {
    const before = await picture();
    await page.locator(box).check();
    await scrollThrough(page);
    assert.notEqual(await picture(), before, box);
  }
  assert.deepEqual(troubles, []);
  await page.close();
});

test("inputs and the autocorrelation of residuals are drawn", async () => {
  const {page, troubles} = await twoExperiments();
  await scrollThrough(page);
  assert.match(await page.locator("#inputs figcaption").textContent(), /^warmth/);
  assert.equal(await page.locator("#inputs canvas").count(), 1);
  const figure = page.locator("#residuals .panel", {hasText: "Autocorrelation"});
  await figure.locator("summary").click();
  const cells = await figure.locator("tbody tr").first().locator("td").allTextContents();
  const {autocorrelation, observables} = readJson(folder, "rows.fit", "pictures.json");
  const own = autocorrelation[observables.findIndex((each) => each.id === cells[0])];
  assertShows(cells[2], own.lags[Number(cells[1]) - 1], "autocorrelation");
  assert.deepEqual(troubles, []);
  await page.close();
});

test("a table that goes on beyond a narrow screen has a shadow there", async () => {
  const {page} = await openReport(browser, path.join(folder, "plain.fit"), {width: 400});
  const place = page.locator("#estimates .scroll");
  assert.ok(await place.evaluate((node) => node.scrollWidth > node.clientWidth));
  assert.match(await place.evaluate((node) => getComputedStyle(node).backgroundImage), /(linear-gradient.*){4}/);
  await page.close();
});

test("of long data the page holds what can be seen", async () => {
  const rows = ["time,seen"];
  for (let k = 1; k <= 50_000; ++k)
    rows.push(`${k / 5000},${(Math.exp(-0.06 * k * 1e-3) + 0.05 * Math.sin(7.1 * k)).toFixed(5)}`);
  writeFileSync(path.join(folder, "long.csv"), rows.join("\n"));
  writeFileSync(
    path.join(folder, "long.yaml"),
    "equations: {x: -k*x}\ninitial: {x: 1}\nparameters: {k: {guess: 1}}\nobservables: {seen: {formula: x, noise: 0.05}}\ndata: long.csv\n",
  );
  salvo(folder, "fit", "long.yaml", "--out", "long.fit");
  const {page, troubles} = await openReport(browser, path.join(folder, "long.fit"));
  await scrollThrough(page);
  assert.match(await page.locator("#thinned").textContent(), /of 50,000 measurements are drawn/);
  assert.ok(readFileSync(path.join(folder, "long.fit", "report.html")).length < 1_200_000);
  assert.deepEqual(troubles, []);
  await page.close();
});

test("times and values over decades are seen on logarithmic axes, and the keyboard still finds them", async () => {
  writeFileSync(
    path.join(folder, "decades.yaml"),
    `equations: {x: -k*x}
initial: {x: 1}
parameters: {k: {guess: 2}}
observables: {seen: {formula: x, noise: 0.1, distribution: log-normal}}
data: decades.csv
`,
  );
  const times = [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10, 20];
  writeFileSync(
    path.join(folder, "decades.csv"),
    ["time,seen", ...times.map((time, k) => `${time},${Math.exp(-time) * (1 + 0.05 * (-1) ** k)}`)].join("\n"),
  );
  salvo(folder, "fit", "decades.yaml", "--out", "decades.fit");
  const {page, troubles} = await openReport(browser, path.join(folder, "decades.fit"));
  await scrollThrough(page);
  assert.equal(await page.locator("#log-time").isChecked(), true);
  assert.equal(await page.locator("#log-values").isChecked(), false);
  const plot = page.locator("#trajectories .plot").first();
  const picture = () =>
    plot
      .locator("canvas")
      .first()
      .evaluate((canvas) => canvas.toDataURL());
  await plot.focus();
  for (const time of times) {
    await page.keyboard.press("ArrowRight");
    assertShows((await plot.locator(".tip").textContent()).match(/^time (\S+)/)[1], time, "the time");
  }
  for (const id of ["#log-values", "#log-time"]) {
    const before = await picture();
    await page.locator(id).focus();
    await page.keyboard.press("Space");
    await page.waitForTimeout(100);
    await plot.waitFor(); // a new one
    assert.notEqual(await picture(), before);
  }
  await plot.focus();
  await page.keyboard.press("ArrowLeft");
  assert.match(await plot.locator(".tip").textContent(), /^time 20\n[^]*measured/);
  assert.deepEqual(troubles, []);
  await page.close();
});

// A tidy decay in each of `names`, as a problem of its own.
function writeDecays(name, names, {more = "", noise = 0.02, size = 1, from = 0} = {}) {
  writeFileSync(
    path.join(folder, `${name}.yaml`),
    `equations: {x: -k*x}
parameters: {k: {guess: 0.5}}
observables: {seen: {formula: x, noise: ${noise * size}, unit: g, label: Mass left}}
data: ${name}.csv
${more}
experiments:
${names.map((id) => `  ${id}: {}`).join("\n")}
`,
  );
  const rows = names.flatMap((id, n) =>
    Array.from({length: 8}, (_, k) => {
      const noisy = Math.exp(-0.4 * k) + noise * Math.sin(7 * k + n);
      return `${from + k},${id},${size * noisy}`;
    }),
  );
  writeFileSync(path.join(folder, `${name}.csv`), ["time,experiment,seen", ...rows].join("\n"));
  salvo(folder, "fit", `${name}.yaml`, "--out", `${name}.fit`);
  return openReport(browser, path.join(folder, `${name}.fit`));
}
// What a chart says as SVG: its texts are those on its axes.
async function savedSvg(page, panel) {
  await panel.scrollIntoViewIfNeeded();
  await page.waitForTimeout(100);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    panel.locator("button", {hasText: "SVG"}).click(),
  ]);
  return {name: download.suggestedFilename(), text: readFileSync(await download.path(), "utf8")};
}
const textsIn = (svg) => [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map((match) => match[1]);

test("many experiments begin with an overview, from which one is opened", async () => {
  const names = Array.from({length: 30}, (_, k) => `well_${k}`);
  const {page, troubles} = await writeDecays("wells", names);
  await page.locator("#trajectories .panels.overview .panel").last().waitFor();
  assert.equal(await page.locator("#trajectories .panels.overview .panel").count(), 30);
  await page.locator("#trajectories button", {hasText: /^well_7$/}).click();
  assert.equal(await page.locator("#trajectories .panel").count(), 1);
  assert.equal(await page.locator("#choose-experiment").inputValue(), "7");
  await scrollThrough(page);
  const byExperiment = page.locator("#residuals .panel", {hasText: "By experiment"});
  await byExperiment.locator("summary").click();
  await byExperiment.locator("tbody tr").last().waitFor();
  assert.equal(await byExperiment.locator("tbody tr").count(), 30);
  assert.equal(await page.locator("#residuals .panel", {hasText: "Observed against predicted"}).count(), 1);
  assert.deepEqual(troubles, []);
  await page.close();
});

test("charts are saved as SVG and PNG, with labels, units and round ticks", async () => {
  const {page, troubles} = await writeDecays("years", ["here"], {from: 1901, size: 1e-20});
  const panel = page.locator("#trajectories .panel").first();
  const {name, text} = await savedSvg(page, panel);
  assert.equal(name, "seen.svg");
  const texts = textsIn(text);
  assert.ok(texts.includes("Mass left (g)"), `the y axis has its label: ${texts}`);
  assert.ok(texts.filter((tick) => /^\de-2\d$/.test(tick)).length >= 2, `data near 1e-20 have ticks: ${texts}`);
  const years = texts.filter((tick) => /^19\d\d/.test(tick));
  assert.ok(years.length > 2 && years.every((tick) => /^\d{4}$/.test(tick)), `years are whole: ${years}`);
  assert.match(text, /<path [^>]*stroke="#0068a8"/);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    panel.locator("button", {hasText: "PNG"}).click(),
  ]);
  assert.deepEqual([...readFileSync(await download.path()).subarray(1, 4)], [...Buffer.from("PNG")]);
  assert.deepEqual(troubles, []);
  await page.close();
});

test("the band lies inside its panel and stands in the table", async () => {
  const {page} = await writeDecays("band", ["here"], {noise: 0.3});
  const {text} = await savedSvg(page, page.locator("#trajectories .panel").first());
  const band = text.match(/<path d="([^"]*)" fill="rgba\(0, 104, 168, 0.16\)"/)[1];
  const clip = text.match(/<clipPath id="clip\d+"><path d="M[\d.]+ ([\d.]+)h[\d.]+v([\d.]+)/);
  const tops = [...band.matchAll(/[ML][-\d.]+ ([-\d.]+)/g)].map((match) => Number(match[1]));
  assert.ok(Math.min(...tops) > Number(clip[1]), `the band reaches ${Math.min(...tops)}, the panel ${clip[1]}`);
  await page.locator("#trajectories details summary").first().click();
  await page.locator("#trajectories details th").first().waitFor();
  const heads = await page.locator("#trajectories details th").allTextContents();
  assert.ok(heads.includes("95 % band from"));
  const cells = await page.locator("#trajectories details tbody tr").first().locator("td").allTextContents();
  const [low, value, high] = [4, 3, 5].map((k) => Number(cells[k].replace("\u2212", "-")));
  assert.ok(low < value && value < high, `${low} < ${value} < ${high}`);
  await page.close();
});

test("a tooltip follows the iteration, and the line in Convergence has a name", async () => {
  const {page} = await plain();
  const plot = page.locator("#trajectories .plot").first();
  const box = await plot.locator(".u-over").boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  const before = await plot.locator(".tip").textContent();
  await page.locator("#frame").evaluate((slider) => {
    slider.value = "0";
    slider.dispatchEvent(new Event("input"));
  });
  assert.notEqual(await plot.locator(".tip").textContent(), before);
  assert.match(await page.locator("#convergence .legend").textContent(), /the iteration whose trajectories/);
  await page.close();
});

test("in a narrow window the slider covers nothing and correlations keep their names", async () => {
  const {page} = await openReport(browser, path.join(folder, "plain.fit"), {width: 360});
  assert.equal(await page.locator(".film").evaluate((film) => getComputedStyle(film).position), "static");
  const canvas = page.locator("#correlations canvas");
  await canvas.scrollIntoViewIfNeeded();
  await page.waitForTimeout(100);
  const isShrunk = await canvas.evaluate((node) => node.clientWidth < parseInt(node.style.width, 10) - 1);
  assert.equal(isShrunk, false);
  await page.close();
});

test("constraints that cannot hold together are not called gaps", async () => {
  writeFileSync(
    path.join(folder, "contradiction.yaml"),
    `equations: {x: k}
initial: {x: 1}
parameters: {k: {guess: 1, bounds: [0, 2]}}
constraints: [x <= 2, k >= 1.5]
observables: {seen: {formula: x, noise: 0.05}}
data: contradiction.csv
`,
  );
  writeFileSync(path.join(folder, "contradiction.csv"), "time,seen\n0.5,1.1\n1,2\n2,3\n");
  salvoWithoutAnswer(folder, "fit", "contradiction.yaml", "--out", "contradiction.fit");
  const {page, troubles} = await openReport(browser, path.join(folder, "contradiction.fit"));
  assert.match(await page.locator("#outcome").textContent(), /^Not feasible\s*These cannot hold together/);
  assert.doesNotMatch(await page.locator("#estimates").textContent(), /not active/);
  assert.deepEqual(troubles, []);
  await page.close();
});

test("profiles show curves, ends of intervals, paths and what the cursor is near to", async () => {
  salvo(folder, "profile", "lotka-volterra.yaml", "--parameters", "p1,x2", "--out", "profiles.fit");
  const {profiles, profile_sentence} = readJson(folder, "profiles.fit", "fit.json");
  const {page, troubles} = await openReport(browser, path.join(folder, "profiles.fit"));
  const panels = page.locator("#profiles .profile");
  assert.equal(await panels.count(), 2);
  assert.ok((await page.locator("#profiles").textContent()).includes(profile_sentence));
  for (const [k, profile] of profiles.entries()) {
    const panel = panels.nth(k);
    await panel.scrollIntoViewIfNeeded();
    await panel.locator("canvas").nth(1).waitFor(); // the curve, and below it the paths of the others
    assert.ok((await panel.textContent()).includes(profile.sentence));
    const over = panel.locator(".u-over").first();
    const box = await over.boundingBox();
    await page.mouse.move(box.x + 0.5 * box.width, box.y + 0.5 * box.height);
    const tip = panel.locator(".tip").first();
    await tip.waitFor();
    const shown = Number((await tip.textContent()).match(new RegExp(`${profile.id} ([\\d.]+)`))[1]);
    const values = profile.points.map((point) => point.value);
    assert.ok(Math.min(...values.map((value) => Math.abs(value - shown))) < 1e-3, `the cursor says ${shown}`);
    await page.mouse.move(0, 0);
  }
  assert.equal(await (await openedTable(page, "#profiles")).count(), profiles[0].points.length);
  const {name, text} = await savedSvg(page, panels.first().locator("figcaption"));
  assert.equal(name, "Profile-of-p1.svg");
  assert.ok(textsIn(text).includes("twice the rise"), textsIn(text).join(" "));
  const others = await savedSvg(page, panels.first().locator(".save").nth(1));
  assert.equal(others.name, "The-others-along-p1.svg");
  assert.ok(textsIn(others.text).includes("moved, in errors"), textsIn(others.text).join(" "));
  const [png] = await Promise.all([
    page.waitForEvent("download"),
    panels.first().locator("button", {hasText: "PNG"}).first().click(),
  ]);
  assert.equal(png.suggestedFilename(), "Profile-of-p1.png");
  // The table beside them has the ends of the profiles.
  const {parameters} = readJson(folder, "profiles.fit", "fit.json");
  assert.deepEqual(parameters[0].interval, profiles[0].interval);
  assert.equal(parameters[0].interval_kind, "likelihood");
  const row = page.locator("#estimates tbody tr", {hasText: "p1"}).first();
  assert.ok((await row.textContent()).includes(" *"));
  assert.deepEqual(troubles, []);
  await page.close();
  for (const view of [{width: 360}, {width: 360, scheme: "dark"}, {scheme: "dark"}]) {
    const other = await openReport(browser, path.join(folder, "profiles.fit"), view);
    await scrollThrough(other.page);
    assert.ok((await other.page.evaluate(() => document.documentElement.scrollWidth)) <= (view.width || 1200));
    const panel = other.page.locator("#profiles .profile").first();
    await panel.scrollIntoViewIfNeeded();
    await panel.locator("canvas").first().waitFor();
    const inside = await panel.evaluate((node) =>
      [...node.querySelectorAll("canvas")].every((canvas) => canvas.getBoundingClientRect().right <= innerWidth + 1),
    );
    assert.ok(inside, "charts of profiles leave the window");
    assert.deepEqual(other.troubles, []);
    await other.page.close();
  }
});

test("a slider walks along a profile and moves the trajectories", async () => {
  salvo(folder, "profile", "lotka-volterra.yaml", "--parameters", "p1", "--predict", "x1/x2@12", "--out", "along.fit");
  const {profiles} = readJson(folder, "along.fit", "fit.json");
  const {page, troubles} = await openReport(browser, path.join(folder, "along.fit"));
  for (const [k, profile] of profiles.entries()) {
    const panel = page.locator("#profiles .profile").nth(k);
    await panel.scrollIntoViewIfNeeded();
    const moving = panel.locator(".moving .plot");
    await moving.first().waitFor();
    assert.equal(await moving.count(), 2); // predator and prey
    const picture = (plot) => plot.locator("canvas").evaluate((canvas) => canvas.toDataURL());
    const words = panel.locator(".along output");
    const slider = panel.locator(".along input");
    assert.match(await words.textContent(), /the best fit$/);
    assertShows((await words.textContent()).split(" \u00b7")[0].split(" ").pop(), profile.estimate, "the best value");
    const places = [panel.locator(".plot").first(), moving.first()];
    const before = await Promise.all(places.map(picture));
    await slider.fill("0");
    await page.waitForTimeout(100);
    const after = await Promise.all(places.map(picture));
    after.forEach((now, i) => assert.notEqual(now, before[i]));
    const [value, rise] = (await words.textContent()).split(" \u00b7 rise ");
    assertShows(value.split(" ").pop(), profile.points[0].value, "the value at the end");
    assertShows(rise, profile.rise, "the rise at the end");
    assert.ok((await slider.getAttribute("aria-valuetext")).startsWith(profile.id));
    await slider.focus();
    await page.keyboard.press("End");
    assertShows(
      (await words.textContent()).split(" \u00b7")[0].split(" ").pop(),
      profile.points.at(-1).value,
      "the value at the other end",
    );
    await moving.first().focus(); // what is here and what is best, at the last measurement
    await page.keyboard.press("ArrowLeft");
    assert.match(await moving.first().locator(".tip").textContent(), /^time 10\nhere \S+\nbest \S+$/);
  }
  const legend = page.locator("#profiles .profile").first().locator(".legend li");
  assert.deepEqual((await legend.allTextContents()).sort(), ["p2", "p3", "p4", "x1", "x2"]);
  assert.deepEqual(troubles, []);
  await page.close();
});

test("fields are shown over space, with bands, a film and maps of space and time", async () => {
  for (const name of ["scratch-assay.yaml", "measurements.csv", "start.csv"])
    copyFileSync(path.join(project, "examples/scratch-assay", name), path.join(folder, `scratch-${name}`));
  const file = path.join(folder, "scratch.yaml");
  const text = readFileSync(path.join(folder, "scratch-scratch-assay.yaml"), "utf8");
  writeFileSync(file, text.replace("measurements.csv", "scratch-measurements.csv").replace("start.csv", "scratch-start.csv"));
  salvo(folder, "fit", "scratch.yaml", "--out", "scratch.fit");
  for (const view of [{}, {width: 360}, {width: 360, scheme: "dark"}, {scheme: "dark"}]) {
    const {page, troubles} = await openReport(browser, path.join(folder, "scratch.fit"), view);
    await scrollThrough(page);
    assert.equal(await page.locator("#trajectories-title").textContent(), "Fields");
    assert.match(await page.locator("#trajectories .legend").textContent(), /profiles over space.*95 % band/);
    assert.equal(await page.locator("#trajectories .panel").count(), 4);
    assert.equal(await page.locator("#maps svg.map").count(), 1);
    assert.equal(await page.locator("#maps circle.map-data").count(), 4 * 37);
    const box = await page.locator("#maps svg.map").boundingBox();
    assert.ok(box.width <= (view.width || 1160) && box.height > 100);
    if (view.width) assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= view.width);
    const slider = page.locator("#frame");
    const picture = () => page.locator(".plot canvas").first().evaluate((canvas) => canvas.toDataURL());
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.waitForTimeout(50);
    const solution = await picture();
    await slider.fill("0");
    await page.waitForTimeout(300);
    assert.notEqual(await picture(), solution);
    assert.deepEqual(troubles, []);
    await page.close();
  }
});

test("a page whose numbers are not those of a fit says so", async () => {
  const html = readFileSync(path.join(folder, "plain.fit/report.html"), "utf8");
  mkdirSync(path.join(folder, "torn.fit"));
  writeFileSync(path.join(folder, "torn.fit/report.html"), html.replace('"film":', '"other":'));
  const {page} = await openReport(browser, path.join(folder, "torn.fit"));
  assert.match(await page.locator("#outcome").textContent(), /^This page cannot be drawn/);
  await page.close();
});

test("the page of a design draws a sensitivity that touches its level at the chosen times", async () => {
  const plan = path.join(example, "plan/four-times.yaml");
  salvo(folder, "design", plan, "--out", "four.design");
  const design = readJson(folder, "four.design", "design.json");
  const {page, troubles} = await openReport(browser, path.join(folder, "four.design"));
  assert.equal(await page.locator("#outcome").textContent(), design.message);
  const rows = await page.locator("#samples tbody tr").evaluateAll((all) =>
    all.map((row) => Array.from(row.cells, (cell) => cell.textContent)),
  );
  assert.deepEqual(
    rows.flatMap(([time, count]) => Array(Number(count)).fill(Number(time))),
    design.measurements.filter((each) => each.observable === "prey").map((each) => each.time),
  );
  // On the screen: the curve is nowhere above the dashed line, and every bar of the best weights ends below a point on it.
  const drawn = await page.locator("svg.sensitivity").evaluate((svg) => {
    const points = (path) => path.getAttribute("d").match(/-?[\d.]+/g).map(Number);
    const curve = points(svg.querySelector(".curve"));
    return {
      level: points(svg.querySelector(".level"))[1],
      curve: curve.filter((_, k) => k % 2 === 1).map((y, k) => [curve[2 * k], y]),
      bars: Array.from(svg.querySelectorAll(".weight"), (bar) => points(bar)[0]),
      dots: Array.from(svg.querySelectorAll(".chosen"), (dot) => [Number(dot.dataset.time), Number(dot.getAttribute("cy"))]),
    };
  });
  assert.ok(drawn.curve.length > 100); // points on a straight line are left out
  assert.ok(Math.min(...drawn.curve.map(([, y]) => y)) >= drawn.level - 0.2, "the curve passes its level");
  assert.equal(drawn.bars.length, design.weights.filter((weight) => weight > 0).length);
  for (const x of drawn.bars) {
    const [, y] = drawn.curve.reduce((best, point) => (Math.abs(point[0] - x) < Math.abs(best[0] - x) ? point : best));
    assert.ok(Math.abs(y - drawn.level) < 0.3, `the curve at a best time is ${y}, its level ${drawn.level}`);
  }
  assert.deepEqual(
    drawn.dots.map(([time]) => time),
    [2.65, 8.25, 8.65],
  );
  for (const [, y] of drawn.dots) assert.ok(Math.abs(y - drawn.level) < 6);
  assertShows(await page.locator("#errors tbody tr").first().locator("td").nth(2).textContent(), design.errors.p1[1], "p1");
  assert.deepEqual(troubles, []);
  await page.close();
  const narrow = await openReport(browser, path.join(folder, "four.design"), {width: 360});
  const width = await narrow.page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 360, `the page is ${width} wide on a narrow screen`);
  await narrow.page.close();
});

test("a design that cannot be says so on its page", async () => {
  writeFileSync(
    path.join(folder, "product.yaml"),
    "equations: {x: -x}\ninitial: {x: 1}\nparameters: {p: {guess: 2}, q: {guess: 3}}\n" +
      "observables: {y: {formula: p*q*x, noise: 0.1}}\ndesign: {measure: [{observables: [y], times: [0, 1]}], budget: 2}\n",
  );
  salvoWithoutAnswer(folder, "design", "product.yaml", "--out", "product.design");
  const {page, troubles} = await openReport(browser, path.join(folder, "product.design"));
  assert.match(await page.locator("#outcome").textContent(), /^No candidate can determine p and q/);
  assert.equal(await page.locator("svg").count(), 0);
  assert.deepEqual(troubles, []);
  await page.close();
});

test("a fit without an answer says so", async () => {
  salvoWithoutAnswer(folder, "fit", "lotka-volterra.yaml", "--max-iterations", "2", "--out", "short.fit");
  const {page, troubles} = await openReport(browser, path.join(folder, "short.fit"));
  await scrollThrough(page);
  assert.match(await page.locator("#outcome").textContent(), /^Out of iterations/);
  assert.equal(
    await page.locator("#command").textContent(),
    "salvo fit lotka-volterra.yaml --max-iterations 2 --out short.fit",
  );
  assert.deepEqual(troubles, []);
  await page.close();
});
