/** One line of the table: a figure of each program. One that is missing couldn't do it. */
export interface Row {
  readonly name: string;
  readonly unit: '' | 'ms' | 'MB';
  readonly figures: Readonly<Partial<Record<'codelab' | 'floor' | 'portkey', number>>>;
  /** At least so many times the floor's and Portkey's figure; at most so many ms over the floor's. */
  readonly aim?: { readonly floor?: number; readonly portkey?: number; readonly overFloor?: number };
}

const number = (value: number | undefined, unit: Row['unit']): string => {
  if (value === undefined) return '–';
  if (unit === '') return value.toFixed(0);
  return `${value.toFixed(unit === 'ms' ? 2 : 0)} ${unit}`;
};

const ratio = (ours: number | undefined, theirs: number | undefined): string =>
  ours === undefined || theirs === undefined ? '–' : `${(ours / theirs).toFixed(2)} ×`;

function verdict({ figures: { codelab, floor, portkey }, aim }: Row): string {
  if (aim === undefined || codelab === undefined) return '';
  const parts = [
    ...(aim.floor !== undefined && floor !== undefined
      ? [{ met: codelab >= aim.floor * floor, words: `≥ ${String(aim.floor)} × floor` }]
      : []),
    ...(aim.portkey !== undefined && portkey !== undefined
      ? [{ met: codelab >= aim.portkey * portkey, words: `≥ ${String(aim.portkey)} × Portkey` }]
      : []),
    ...(aim.overFloor !== undefined && floor !== undefined
      ? [{ met: codelab <= floor + aim.overFloor, words: `≤ floor + ${String(aim.overFloor)} ms` }]
      : []),
  ];
  return parts.map(({ met, words }) => `${met ? 'met' : 'NOT met'}: ${words}`).join(', ');
}

/** The table, with ratios to the floor and to Portkey, and what became of the aims. */
export function renderFigures(rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    const { codelab, floor, portkey } = row.figures;
    const cells = [row.name, ...[codelab, floor, portkey].map((value) => number(value, row.unit))];
    return `| ${[...cells, ratio(codelab, floor), ratio(codelab, portkey), verdict(row)].join(' | ')} |`;
  });
  return ['| | CodeLab | floor | Portkey | to floor | to Portkey | aim |', '|---|---|---|---|---|---|---|', ...lines].join('\n');
}
