import { createHash } from 'node:crypto';
import { markup, ownText, textOf, type Markup } from './markup.js';
import { PAGE_SCRIPT } from './page/script.js';
import { PAGE_STYLE } from './page/style.js';
import { drawDistributions } from './plots/distributions.js';
import type { ReportData, Series } from './report-data.js';
import { showFailures } from './sections/failures.js';
import { showMutants } from './sections/mutants.js';
import { showFaults, showSeeds, showSummary } from './sections/summary.js';
import { MARK_SHAPES } from './timeline/draw-timeline.js';
import { showRecording } from './timeline/show-recording.js';

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Nothing is loaded, and nothing runs or styles but the two texts of this package. */
const policy = `default-src 'none'; script-src ${hashOf(PAGE_SCRIPT)}; style-src ${hashOf(PAGE_STYLE)}; base-uri 'none'; form-action 'none'`;

const plots = (id: string, title: string, hint: string, series: readonly Series[] | undefined): Markup | undefined =>
  series === undefined || series.every(({ samples }) => samples.length === 0)
    ? undefined
    : markup`<section id="${id}">
        <h2>${title}</h2>
        <p class="hint">${hint}</p>
        ${drawDistributions(series)}
      </section>`;

const sample = ({ sample: recording }: ReportData): Markup | undefined =>
  recording === undefined
    ? undefined
    : markup`<section id="timeline">
        <h2>One run: seed ${recording.seed}</h2>
        ${showRecording('sample', recording.events)}
      </section>`;

/** The page of a run: one file without requests of its own, for a browser, dark or light, or for paper. */
export function renderReport(data: ReportData): string {
  return textOf(markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>CodeLab chaos report</title>
<style>${ownText(PAGE_STYLE)}</style>
</head>
<body>
${MARK_SHAPES}
<main>
${showSummary(data)}
${showFailures(data)}
${sample(data)}
${plots('recovery', 'Recovery', 'From the kill until the client has the next frame of its turn, or the answer to a new message.', data.recovery)}
${plots('latency', 'Latency', 'As a client saw it, under faults.', data.latency)}
${showFaults(data)}
${showSeeds(data)}
${showMutants(data)}
</main>
<div id="tip" role="tooltip" hidden></div>
<script>${ownText(PAGE_SCRIPT)}</script>
</body>
</html>
`);
}
