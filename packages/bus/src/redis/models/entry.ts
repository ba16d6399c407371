import type { Sid } from '../../session-ref.js';

/** The group of all proxies. */
export const GROUP = 'proxies';

/** A name of a step in a stream. */
export interface Entry {
  readonly stream: string;
  readonly id: string;
  readonly sid: Sid;
  readonly stepId: string;
}

/** An entry as Redis gives it; without fields it has left the stream. */
export type RawEntry = readonly [id: string, fields: readonly string[] | null];

export const toEntry = (stream: string, [id, fields]: RawEntry): Entry => ({
  ...{ stream, id },
  sid: (fields?.[1] ?? '') as Sid,
  stepId: fields?.[3] ?? '',
});

/** Names an entry among those of all streams. */
export const keyOf = ({ stream, id }: Entry): string => `${stream} ${id}`;
