// --- colours ---------------------------------------------------------------------------------------------------------

// Okabe and Ito's colours, told apart by people with colour-blindness, in tones for light and for dark paper.
const SERIES_LIGHT = ["#0068a8", "#d0480a", "#00785a", "#a3478a", "#8a6d00", "#3f8fc4", "#5b6675"];
const SERIES_DARK = ["#5ab0e8", "#ff8f4f", "#35c39b", "#e39ccb", "#e6c84a", "#9fd3f5", "#a4aeba"];

let theme = "auto";
const systemIsDark = window.matchMedia("(prefers-color-scheme: dark)");
function isDark() {
  return theme === "dark" || (theme === "auto" && systemIsDark.matches);
}
let styles = null;
function colour(name) {
  if (styles === null) styles = getComputedStyle(document.documentElement);
  return styles.getPropertyValue(`--${name}`).trim();
}
let paperIsDark = false;
function seriesColour(k) {
  const list = paperIsDark ? SERIES_DARK : SERIES_LIGHT;
  return list[k % list.length];
}

const painters = new Set(); // whatever must be drawn again when the colours change
function applyTheme(dark = isDark()) {
  paperIsDark = dark;
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  styles = null;
  for (const paint of painters) paint();
}
const THEMES = {auto: "as the system", light: "light", dark: "dark"};
byId("theme").addEventListener("click", () => {
  const names = Object.keys(THEMES);
  theme = names[(names.indexOf(theme) + 1) % names.length];
  byId("theme").setAttribute("aria-label", `Colours: ${THEMES[theme]}`);
  byId("theme").title = `Colours: ${THEMES[theme]}`;
  applyTheme();
});
systemIsDark.addEventListener("change", () => applyTheme());
window.addEventListener("beforeprint", () => applyTheme(false));
window.addEventListener("afterprint", () => applyTheme());
applyTheme();
