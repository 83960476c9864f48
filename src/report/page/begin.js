window.addEventListener("error", () => {
  document.getElementById("outcome").textContent =
    "This page cannot be drawn: what it holds is not the whole result of a fit. The tables beside it may still be good.";
});
(() => {
"use strict";
