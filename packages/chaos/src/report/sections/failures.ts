import { markup, type Markup } from '../markup.js';
import type { Failure, ReportData } from '../report-data.js';
import { showRecording } from '../timeline/show-recording.js';

/** Failures that are drawn; of the others the page names seed, promise and command. */
const MAX_DRAWN = 6;

const violationsOf = (failure: Failure): Markup =>
  markup`<ol class="violations">
    ${failure.violations.map(
      ({ promise, text, at, events }) =>
        markup`<li>
          <b>${promise}</b> ${text}
          <small>${Math.round(at)} ms</small>
          ${events.slice(0, 12).map((index) => markup`<button type="button" class="chip" data-go="${index}">event ${index}</button>`)}
        </li>`,
    )}
  </ol>`;

const command = (text: string): Markup =>
  markup`<p class="command"><code>${text}</code><button type="button" data-copy="${text}">Copy</button></p>`;

const showFailure = (failure: Failure, at: number): Markup =>
  markup`<article class="failure">
    <h3>Seed ${failure.seed}</h3>
    ${violationsOf(failure)} ${command(failure.repeat)}
    ${
      failure.shrunk !== undefined &&
      markup`<details open>
        <summary>The shortest schedule that still fails</summary>
        <ol class="schedule">
          ${failure.shrunk.map((step) => markup`<li><code>${step}</code></li>`)}
        </ol>
      </details>`
    }
    ${at < MAX_DRAWN && showRecording(`failure-${String(at)}`, failure.events, failure.violations)}
  </article>`;

/** Each seed that broke a promise: what broke, how to repeat it, and its timeline with the events at fault. */
export function showFailures(data: ReportData): Markup | undefined {
  if (data.failures.length === 0) return undefined;
  return markup`<section id="failures">
    <h2>Failures</h2>
    ${data.failures.map(showFailure)}
  </section>`;
}
