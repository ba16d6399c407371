/** One line of the table: a figure of each program. One that is missing couldn't do it. */
export interface Row {
  readonly name: string;
  readonly unit: '' | 'ms' | 'MB';
  readonly figures: Readonly<Partial<Record<'codelab' | 'baseline' | 'portkey', number>>>;
  /** At least so many times the baseline's and Portkey's figure; at most so many ms over the baseline's. */
  readonly aim?: { readonly baseline?: number; readonly portkey?: number; readonly overBaseline?: number };
}

const number = (value: number | undefined, unit: Row['unit']): string => {
  if (value === undefined) return '–';
  if (unit === '') return value.toFixed(0);
  return `${value.toFixed(unit === 'ms' ? 2 : 0)} ${unit}`;
};

const ratio = (ours: number | undefined, theirs: number | undefined): string =>
  ours === undefined || theirs === undefined ? '–' : `${(ours / theirs).toFixed(2)} ×`;

function verdict({ figures: { codelab, baseline, portkey }, aim }: Row): string {
  if (aim === undefined || codelab === undefined) return '';
  const parts = [
    ...(aim.baseline !== undefined && baseline !== undefined
      ? [{ met: codelab >= aim.baseline * baseline, words: `≥ ${String(aim.baseline)} × baseline` }]
      : []),
    ...(aim.portkey !== undefined && portkey !== undefined
      ? [{ met: codelab >= aim.portkey * portkey, words: `≥ ${String(aim.portkey)} × Portkey` }]
      : []),
    ...(aim.overBaseline !== undefined && baseline !== undefined
      ? [{ met: codelab <= baseline + aim.overBaseline, words: `≤ baseline + ${String(aim.overBaseline)} ms` }]
      : []),
  ];
  return parts.map(({ met, words }) => `${met ? 'met' : 'NOT met'}: ${words}`).join(', ');
}

/** The table, with ratios to the baseline and to Portkey, and what became of the aims. */
export function renderFigures(rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    const { codelab, baseline, portkey } = row.figures;
    const cells = [row.name, ...[codelab, baseline, portkey].map((value) => number(value, row.unit))];
    return `| ${[...cells, ratio(codelab, baseline), ratio(codelab, portkey), verdict(row)].join(' | ')} |`;
  });
  return ['| | CodeLab | baseline | Portkey | to baseline | to Portkey | aim |', '|---|---|---|---|---|---|---|', ...lines].join('\n');
}
