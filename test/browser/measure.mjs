// How large reports are, what writing them takes, and when they answer: SALVO=program SALVO_BROWSER=folder node measure.mjs
import {execFileSync} from "node:child_process";
import {statSync} from "node:fs";
import path from "node:path";
import {openBrowser, openReport, project, readJson, salvo, temporaryFolder} from "./browser.mjs";

const folder = temporaryFolder();
execFileSync("python3", [path.join(project, "test/browser/make_large_problem.py"), folder]);
const problems = {
  "predator and prey": path.join(project, "examples/lotka-volterra/lotka-volterra.yaml"),
  "100 experiments, 100,000 points": path.join(folder, "large.yaml"),
};
const browser = await openBrowser();
for (const [name, problem] of Object.entries(problems)) {
  const fit = path.join(folder, "measured.fit");
  const begin = performance.now();
  salvo(folder, "fit", problem, "--out", fit, "--quiet");
  const wall = (performance.now() - begin) / 1000;
  const megabytes = statSync(path.join(fit, "report.html")).size / 1e6;
  const opened = [];
  for (let k = 0; k < 5; ++k) {
    const {page, milliseconds} = await openReport(browser, fit);
    opened.push(milliseconds);
    await page.close();
  }
  opened.sort((a, b) => a - b);
  const outside = wall - readJson(fit, "fit.json").work.seconds;
  console.log(
    `${name}: ${megabytes.toFixed(2)} MB, interactive after ${opened[2].toFixed(0)} ms (median of 5); ` +
      `reading, pictures and writing took ${outside.toFixed(2)} s of ${wall.toFixed(2)} s`,
  );
}
await browser.close();
