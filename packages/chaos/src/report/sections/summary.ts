import { markup, type Markup } from '../markup.js';
import { duration, percent } from '../plots/scale.js';
import type { ReportData } from '../report-data.js';

const count = (value: number): string => value.toLocaleString('en-GB');

const counted = (value: number, one: string, many = `${one}s`): string => `${count(value)} ${value === 1 ? one : many}`;

const tile = (label: string, value: string, tone = ''): Markup =>
  markup`<div class="tile ${tone}"><strong>${value}</strong><span>${label}</span></div>`;

/** What came out, in a sentence. */
const verdict = (seeds: number, faults: number, violations: number): Markup =>
  violations === 0
    ? markup`<p class="verdict good">${counted(seeds, 'seed')}, ${counted(faults, 'fault')}: no promise was broken.</p>`
    : markup`<p class="verdict bad">${counted(violations, 'violation')} in ${counted(seeds, 'seed')} with ${counted(faults, 'fault')}.</p>`;

/** The head of the page: the verdict, the figures, and how to have the same run again. */
export function showSummary(data: ReportData): Markup {
  const faults = data.seeds.reduce((sum, seed) => sum + seed.faults.length, 0);
  const violations = data.seeds.reduce((sum, seed) => sum + seed.violations.length, 0);
  const caught = data.mutants?.filter((mutant) => mutant.caught !== undefined).length ?? 0;
  return markup`<header>
    <div class="brand">
      <span>CodeLab</span> chaos report <button type="button" class="theme" aria-label="Switch between dark and light">◐</button>
    </div>
    ${data.seeds.length > 0 && verdict(data.seeds.length, faults, violations)}
    <div class="tiles">
      ${data.seeds.length > 0 && [tile('seeds', count(data.seeds.length)), tile('faults injected', count(faults)), tile('violations', count(violations), violations === 0 ? 'good' : 'bad')]}
      ${data.mutants !== undefined && tile('planted faults caught', `${count(caught)} / ${count(data.mutants.length)}`, caught === data.mutants.length ? 'good' : 'bad')}
      ${tile('took', duration(data.tookMs))}
    </div>
    <dl class="facts">
      <dt>Command</dt>
      <dd><code>${data.command}</code></dd>
      ${
        data.commit !== undefined &&
        markup`<dt>Commit</dt>
          <dd><code>${data.commit}</code></dd>`
      }
      <dt>Machine</dt>
      <dd>${data.machine}</dd>
      <dt>Begun</dt>
      <dd>${data.startedAt.toISOString().replace('T', ' ').slice(0, 19)} UTC</dd>
    </dl>
  </header>`;
}

const bar = (name: string, value: number, most: number): Markup =>
  markup`<tr>
    <th scope="row">${name}</th>
    <td class="plot">
      <svg width="100%" height="14" aria-hidden="true">
        <rect class="count" width="${percent((value / most) * 100)}" height="14" rx="3" />
      </svg>
    </td>
    <td class="figure">${count(value)}</td>
  </tr>`;

/** How often each kind of fault was injected. */
export function showFaults(data: ReportData): Markup | undefined {
  const counts = new Map<string, number>();
  for (const name of data.seeds.flatMap((seed) => seed.faults)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  const most = sorted[0]?.[1];
  if (most === undefined) return undefined;
  return markup`<section id="faults">
    <h2>Faults by kind</h2>
    <table class="counts">
      <tbody>
        ${sorted.map(([name, value]) => bar(name, value, most))}
      </tbody>
    </table>
  </section>`;
}

/** A square for each seed: how many faults it held, and whether a promise broke. */
export function showSeeds(data: ReportData): Markup | undefined {
  if (data.seeds.length === 0) return undefined;
  const squares = data.seeds.map(({ seed, faults, violations, tookMs }) => {
    const tone = violations.length > 0 ? 'bad' : `good-${String(Math.min(4, Math.ceil(faults.length / 2)))}`;
    const title = `seed ${String(seed)} · ${duration(tookMs)} · ${faults.join(', ') || 'no fault'}${violations.length > 0 ? ` · ${violations.map(({ promise }) => promise).join(', ')}` : ''}`;
    return markup`<i class="${tone}" title="${title}"></i>`;
  });
  return markup`<section id="seeds">
    <h2>Seeds</h2>
    <p class="hint">One square is one seed; the more faults it held, the darker it is. Red: a promise broke.</p>
    <div class="seeds" role="img" aria-label="${data.seeds.length} seeds">${squares}</div>
  </section>`;
}
