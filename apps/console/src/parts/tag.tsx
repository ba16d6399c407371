import type { ReactNode } from 'react';

/** What a word says beside its meaning. */
export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'ask' | 'accent';

/** A word that stands out: a state, an outcome. The word alone says all; the colour only helps. */
export function Tag({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={`co-tag co-tag--${tone}`}>{children}</span>;
}
