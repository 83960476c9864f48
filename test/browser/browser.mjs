// What the tests and the picture maker share: the program, a browser, and pages that report every trouble.
import {execFileSync} from "node:child_process";
import {createRequire} from "node:module";
import {mkdtempSync, readFileSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import path from "node:path";
import {fileURLToPath, pathToFileURL} from "node:url";

export const project = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
export const program = path.resolve(process.env.SALVO || path.join(project, "build/release/salvo"));
const modules = process.env.SALVO_BROWSER || path.join(project, "build/browser");
const {chromium} = createRequire(path.join(path.resolve(modules), "package.json"))("playwright-core");

export function salvo(folder, ...words) {
  return execFileSync(program, words, {cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"]});
}

// The same where an exit code other than 0 is expected.
export function salvoWithoutAnswer(folder, ...words) {
  try {
    return salvo(folder, ...words);
  } catch (failure) {
    return failure.stdout;
  }
}

export function temporaryFolder() {
  const folder = mkdtempSync(path.join(tmpdir(), "salvo-report-"));
  process.on("exit", () => rmSync(folder, {recursive: true, force: true}));
  return folder;
}

export function readJson(...parts) {
  return JSON.parse(readFileSync(path.join(...parts), "utf8"));
}

export function openBrowser() {
  return chromium.launch({executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox"]});
}

// A page with the report of a folder. `troubles` collects errors, dialogs and requests that leave the page.
export async function openReport(browser, folder, {width = 1200, height = 900, scheme = "light"} = {}) {
  const page = await browser.newPage({viewport: {width, height}, colorScheme: scheme, reducedMotion: "reduce"});
  const troubles = [];
  const address = pathToFileURL(path.join(folder, "report.html")).href;
  page.on("console", (message) => troubles.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => troubles.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on("request", (request) => {
    if (request.url() !== address) troubles.push(`request: ${request.url()}`);
  });
  const begin = performance.now();
  await page.goto(address);
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  return {page, troubles, milliseconds: performance.now() - begin};
}
