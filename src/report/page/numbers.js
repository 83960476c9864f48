// --- numbers ---------------------------------------------------------------------------------------------------------

// fit.json writes what is not finite as a text.
const SPELLED = {inf: Infinity, "-inf": -Infinity, nan: NaN};
function number(value) {
  if (typeof value === "string") return value in SPELLED ? SPELLED[value] : NaN;
  return value === null || value === undefined ? NaN : value;
}

function withMinus(text) {
  return text.replace("-", "\u2212").replace("e\u2212", "e-");
}

// So many significant digits, without the zeros that say nothing.
function digits(value, count = 5) {
  if (Number.isNaN(value)) return "\u2013";
  if (!Number.isFinite(value)) return value > 0 ? "\u221e" : "\u2212\u221e";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 10 ** count && size < 1e7) return withMinus(value.toFixed(0));
  const text = size < 1e-4 || size >= 1e7 ? value.toExponential(count - 1) : value.toPrecision(count);
  const [mantissa, exponent] = text.split("e");  // the zeros of an exponent do say something
  const short = mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
  return withMinus(exponent === undefined ? short : `${short}e${exponent.replace("+", "")}`);
}

// As many digits as the standard error leaves sense in: two of the error's own.
function rounded(value, error) {
  if (!(error > 0) || !Number.isFinite(error) || !Number.isFinite(value)) return digits(value, 6);
  const last = Math.floor(Math.log10(Number(error.toExponential(1)))) - 1;
  const first = value === 0 ? last : Math.floor(Math.log10(Math.abs(value)));
  if (first < 7 && last < 4 && last > -7) return withMinus(value.toFixed(Math.max(0, -last)));
  return withMinus(value.toExponential(Math.min(Math.max(first - last, 0), 5)).replace("e+", "e"));
}

function seconds(value) {
  if (value < 1) return `${digits(1000 * value, 3)} ms`;
  return value < 120 ? `${digits(value, 3)} s` : `${digits(value / 60, 3)} min`;
}

function counted(count, word) {
  return `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
}

// The quantile of the standard normal distribution: rational approximations, good to nine digits.
function normalQuantile(p) {
  const tail = (q) =>
    (((((-0.007784894002430293 * q - 0.3223964580411365) * q - 2.400758277161838) * q - 2.549732539343734) * q +
      4.374664141464968) *
      q +
      2.938163982698783) /
    ((((0.007784695709041462 * q + 0.3224671290700398) * q + 2.445134137142996) * q + 3.754408661907416) * q + 1);
  if (p < 0.02425) return tail(Math.sqrt(-2 * Math.log(p)));
  if (p > 0.97575) return -tail(Math.sqrt(-2 * Math.log(1 - p)));
  const q = p - 0.5;
  const r = q * q;
  return (
    ((((((-39.69683028665376 * r + 220.9460984245205) * r - 275.9285104469687) * r + 138.357751867269) * r -
      30.66479806614716) *
      r +
      2.506628277459239) *
      q) /
    (((((-54.47609879822406 * r + 161.5858368580409) * r - 155.6989798598866) * r + 66.80131188771972) * r -
      13.28068155288572) *
      r +
      1)
  );
}
