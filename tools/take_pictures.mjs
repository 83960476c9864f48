// Takes the screenshots in docs/pictures: SALVO=program SALVO_BROWSER=folder node tools/take_pictures.mjs
import {mkdirSync} from "node:fs";
import path from "node:path";
import {openBrowser, openReport, project, salvo, temporaryFolder} from "../test/browser/browser.mjs";

const pictures = path.join(project, "docs/pictures");
const folder = temporaryFolder();
mkdirSync(pictures, {recursive: true});

// The place of an element on the page, with a margin.
async function around(page, part) {
  const {top, height} = await page.locator(part).evaluate((node) => {
    const box = node.getBoundingClientRect();
    return {top: box.top + window.scrollY, height: box.height};
  });
  return {x: 0, y: top + 8, width: page.viewportSize().width, height: height - 4};
}

async function take(browser, fit, name, {options = {}, frame = null, part = null} = {}) {
  const {page, troubles} = await openReport(browser, path.join(folder, fit), options);
  if (frame !== null) await page.locator("#frame").fill(String(frame));
  await page.evaluate(() => document.activeElement.blur());
  if (part !== null) await page.locator(part).scrollIntoViewIfNeeded();
  await page.waitForTimeout(200);
  const file = path.join(pictures, `${name}.png`);
  await page.screenshot({path: file, ...(part === null ? {} : {clip: await around(page, part), fullPage: true})});
  if (troubles.length > 0) throw new Error(troubles.join("\n"));
  await page.close();
  console.log(file);
}

salvo(folder, "new", "hares");
salvo(folder, "fit", "hares/hares.yaml");
salvo(project, "fit", "examples/lotka-volterra/lotka-volterra.yaml", "--out", path.join(folder, "predator.fit"));
salvo(
  project,
  "fit",
  "examples/lotka-volterra/lotka-volterra.yaml",
  "--nodes",
  "auto",
  "--guess",
  "p4=0.5",
  "--starts",
  "30",
  "--seed",
  "3",
  "--out",
  path.join(folder, "starts.fit"),
);
const figure = path.join(pictures, "figure.svg");
salvo(folder, "plot", "hares.fit", "--width", "140", "--out", figure);
console.log(figure);
const browser = await openBrowser();
await take(browser, "predator.fit", "report-light", {options: {width: 1120, height: 880}, frame: 0});
await take(browser, "predator.fit", "report-dark", {options: {width: 1120, height: 880, scheme: "dark"}});
await take(browser, "predator.fit", "report-narrow", {options: {width: 400, height: 860}});
await take(browser, "hares.fit", "hares-trajectories", {options: {width: 1000}, part: "#trajectories"});
await take(browser, "hares.fit", "hares-estimates", {options: {width: 1000}, part: "#estimates"});
await take(browser, "predator.fit", "convergence", {options: {width: 1000}, part: "#convergence", frame: 3});
await take(browser, "predator.fit", "residuals", {options: {width: 1000}, part: "#residuals"});
await take(browser, "starts.fit", "starts", {options: {width: 1000}, part: "#starts"});
await browser.close();
