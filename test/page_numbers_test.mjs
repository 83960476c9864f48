// The numbers of the page as texts: node page_numbers_test.mjs SOURCE_FOLDER
import assert from "node:assert";
import {readFileSync} from "node:fs";
import vm from "node:vm";

const page = vm.createContext({});
vm.runInContext(readFileSync(`${process.argv[2]}/src/report/page/numbers.js`, "utf8"), page);

const cases = [
  [1.2345e10, "1.2345e10"],
  [1e20, "1e20"],
  [-2.5e-10, "\u22122.5e-10"],
  [1e-100, "1e-100"],
  [6.02214e200, "6.0221e200"],
  [100, "100"],
  [0.5, "0.5"],
  [1.2, "1.2"],
  [20000, "20000"],
  [1234567, "1234567"],
  [0, "0"],
  [Infinity, "\u221e"],
];
for (const [value, text] of cases) assert.strictEqual(page.digits(value), text);
for (let exponent = -300; exponent <= 300; ++exponent) {
  const value = Number(`1.5e${exponent}`);
  assert.strictEqual(Number(page.digits(value).replace("\u2212", "-")), value);
}
console.log("all numbers are written as they should be");
