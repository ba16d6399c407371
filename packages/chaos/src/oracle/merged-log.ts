import { firstOfEach } from './grouping.js';
import type { Story, ToldFrame } from './story.js';

/** The place of a frame in the log of its session: the same frame, whoever was told it, and how often. */
export const placeOf = ({ session, epoch = '', frame }: ToldFrame): string => `${session} ${epoch} ${String(frame['seq'])}`;

/** The frames of these types out of all logs, each once. */
export const logged = ({ told }: Story, ...types: readonly string[]): ToldFrame[] =>
  firstOfEach(
    told.filter(({ type, frame, epoch }) => types.includes(type) && typeof frame['seq'] === 'number' && epoch !== undefined),
    placeOf,
  );
