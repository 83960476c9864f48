# The files of src/report/page in the order in which they stand on the page.
set(page_html page.html)
set(page_styles uplot/uPlot.min.css page.css)
set(page_scripts
    uplot/uPlot.iife.min.js
    begin.js
    numbers.js
    elements.js
    record.js
    colours.js
    charts.js
    save.js
    outcome.js
    estimates.js
    alternatives.js
    scales.js
    panels.js
    film.js
    trajectories.js
    maps.js
    inputs.js
    convergence.js
    residuals.js
    along.js
    profiles.js
    correlations.js
    starts.js
    repeat.js
    end.js)
