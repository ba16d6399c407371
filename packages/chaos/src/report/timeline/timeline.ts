/** How something is drawn: a CSS class of the page. */
export type Tone = 'plain' | 'soft' | 'info' | 'good' | 'warn' | 'bad' | 'ask' | 'frozen';

/** Something that lasts. `event` is the index of the event that began it. */
export interface Bar {
  readonly from: number;
  readonly to: number;
  readonly tone: Tone;
  readonly label?: string;
  readonly event: number;
  /** Nothing ended it before the recording did. */
  readonly open?: boolean;
}

/** A moment. */
export interface Mark {
  readonly at: number;
  readonly shape: 'dot' | 'up' | 'down' | 'cross' | 'diamond';
  readonly tone: Tone;
  readonly event: number;
}

/** A row of a timeline. */
export interface Lane {
  readonly name: string;
  readonly bars: readonly Bar[];
  readonly marks: readonly Mark[];
  /** Marks stand on the lower edge, so that the labels of bars can be read. */
  readonly marksBelow?: boolean;
}

/** Lanes that belong together. */
export interface LaneGroup {
  readonly title: string;
  readonly lanes: readonly Lane[];
}

/** Puts bars that overlap into rows of their own, as few as there must be; those of one row keep their order. */
export function packRows<T extends { readonly from: number; readonly to: number }>(items: readonly T[], gap: number): T[][] {
  const rows: T[][] = [];
  for (const item of [...items].sort((a, b) => a.from - b.from)) {
    const row = rows.find((each) => (each.at(-1)?.to ?? -Infinity) + gap <= item.from);
    if (row === undefined) rows.push([item]);
    else row.push(item);
  }
  return rows;
}
