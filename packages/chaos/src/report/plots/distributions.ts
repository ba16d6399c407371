import { markup, type Markup } from '../markup.js';
import type { Series } from '../report-data.js';
import { density } from './density.js';
import { duration, logScale, logTicks, percent, quantile, type Scale } from './scale.js';

const ROW = 64;
const BASE = 40;
const POINTS = 160;
/** More dots than these can't be told apart. */
const MAX_DOTS = 400;

/** A shape in a box of its own, stretched to the width of the plot. */
const curve = (series: Series, scale: Scale): Markup => {
  const heights = density(series.samples.map(scale), POINTS);
  const points = heights.map((height, at) => `${((at / (POINTS - 1)) * 100).toFixed(2)},${(BASE - height * (BASE - 10)).toFixed(1)}`);
  return markup`<svg viewBox="0 0 100 ${ROW}" width="100%" height="${ROW}" preserveAspectRatio="none">
    <path class="density" d="M0,${BASE} L${points.join(' L')} L100,${BASE} Z" />
  </svg>`;
};

const dots = (samples: readonly number[], scale: Scale): Markup[] =>
  samples
    .filter((_, at) => at % Math.ceil(samples.length / MAX_DOTS) === 0)
    .map((sample, at) => markup`<circle class="sample" cx="${percent(scale(sample))}" cy="${BASE + 8 + ((at * 7) % 12)}" r="1.8" />`);

const marker = (name: string, value: number, scale: Scale, kind: string): Markup => {
  const x = percent(scale(value));
  return markup`<line class="quantile ${kind}" x1="${x}" x2="${x}" y1="6" y2="${BASE + 3}" />
    <circle class="quantile-dot ${kind}" cx="${x}" cy="6" r="3.2"><title>${name} ${duration(value)}</title></circle>`;
};

const aimLine = (aimMs: number | undefined, scale: Scale): Markup | undefined =>
  aimMs === undefined
    ? undefined
    : markup`<line class="aim" x1="${percent(scale(aimMs))}" x2="${percent(scale(aimMs))}" y1="0" y2="${ROW}"
        ><title>aim: p99 ≤ ${duration(aimMs)}</title></line
      >`;

const row = (series: Series, scale: Scale, ticks: readonly number[]): Markup => {
  const p50 = quantile(series.samples, 0.5);
  const p99 = quantile(series.samples, 0.99);
  const verdict = series.aimMs === undefined ? '' : p99 <= series.aimMs ? 'good' : 'bad';
  return markup`<tr>
    <th scope="row">${series.name}${series.note !== undefined && markup`<small>${series.note}</small>`}</th>
    <td class="plot">
      <svg width="100%" height="${ROW}" role="img" aria-label="${series.name}: p50 ${duration(p50)}, p99 ${duration(p99)}">
        ${ticks.map((tick) => markup`<line class="grid" x1="${percent(scale(tick))}" x2="${percent(scale(tick))}" y1="0" y2="${ROW}" />`)}
        ${curve(series, scale)} ${aimLine(series.aimMs, scale)}
        <line class="base" x1="0" x2="100%" y1="${BASE}" y2="${BASE}" />
        ${dots(series.samples, scale)} ${marker('p50', p50, scale, 'p50')} ${marker('p99', p99, scale, 'p99')}
      </svg>
    </td>
    <td class="figure">${duration(p50)}</td>
    <td class="figure ${verdict}">${duration(p99)}</td>
    <td class="figure">${series.aimMs === undefined ? '–' : `≤ ${duration(series.aimMs)}`}</td>
    <td class="figure faint">${series.samples.length}</td>
  </tr>`;
};

/** A row for each series: how its samples are spread on a logarithmic axis of time, with its median, its p99 and what it aims at. */
export function drawDistributions(all: readonly Series[]): Markup {
  const shown = all.filter(({ samples }) => samples.length > 0);
  const values = shown.flatMap(({ samples, aimMs }) => [...samples, ...(aimMs === undefined ? [] : [aimMs])]);
  const from = Math.max(Math.min(...values) * 0.7, 0.05);
  const to = Math.max(...values) * 1.4;
  const scale = logScale(from, to);
  const ticks = logTicks(from, to);
  return markup`<table class="distributions">
    <thead>
      <tr>
        <th scope="col">what</th>
        <th scope="col" class="plot">
          <span class="key p50">p50</span> <span class="key p99">p99</span> <span class="key aim-key">aim</span>
        </th>
        <th scope="col">p50</th>
        <th scope="col">p99</th>
        <th scope="col">aim</th>
        <th scope="col">samples</th>
      </tr>
    </thead>
    <tbody>
      ${shown.map((series) => row(series, scale, ticks))}
    </tbody>
    <tfoot>
      <tr>
        <td></td>
        <td class="plot axis">
          <svg width="100%" height="18" aria-hidden="true">
            ${ticks.map((tick) => markup`<text class="tick" x="${percent(scale(tick))}" y="13">${duration(tick)}</text>`)}
          </svg>
        </td>
        <td colspan="4"></td>
      </tr>
    </tfoot>
  </table>`;
}
