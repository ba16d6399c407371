import { markup, type Markup } from '../markup.js';
import { duration } from '../plots/scale.js';
import type { MutantRow, ReportData } from '../report-data.js';

const row = (mutant: MutantRow): Markup =>
  markup`<tr class="${mutant.caught === undefined && mutant.isCutShort !== true ? 'missed' : ''}">
    <th scope="row"><code>${mutant.name}</code><small>${mutant.fault}</small></th>
    <td><span class="place">${mutant.place}</span></td>
    <td>${mutant.promise}</td>
    <td>
      ${
        mutant.caught === undefined
          ? mutant.isCutShort === true
            ? markup`the time was over`
            : markup`<b class="bad">not caught</b>`
          : markup`<span class="tick-good">✓</span> seed ${mutant.caught.seed}<small><b>${mutant.caught.promise}</b> ${mutant.caught.text}</small>`
      }
    </td>
    <td class="figure">${mutant.caught?.after ?? '–'}</td>
    <td class="figure">${duration(mutant.tookMs)}</td>
  </tr>`;

/** The suite's own proof: faults that were planted, and what caught them. */
export function showMutants({ mutants = [] }: ReportData): Markup | undefined {
  if (mutants.length === 0) return undefined;
  return markup`<section id="mutants">
    <h2>Planted faults</h2>
    <p class="hint">Each is one changed line in a copy of the product. A fault that no seed catches is a hole in the suite.</p>
    <table class="mutants">
      <thead>
        <tr>
          <th scope="col">fault</th>
          <th scope="col">in</th>
          <th scope="col">breaks</th>
          <th scope="col">caught by</th>
          <th scope="col">after seeds</th>
          <th scope="col">time</th>
        </tr>
      </thead>
      <tbody>
        ${mutants.map(row)}
      </tbody>
    </table>
  </section>`;
}
