import type { QueuedMessage } from '../../session-store.js';
import type { Fields } from '../connection/decode-fields.js';

/** Messages that wait, in order, of `cl:{sid}:queue`. */
export const decodeQueue = (fields: Fields): readonly QueuedMessage[] =>
  (fields['order'] ?? '')
    .split('\x1f')
    .filter((id) => id !== '')
    .map((id) => ({ messageId: JSON.parse(id) as string, turnId: fields[`${id}:turn_id`] ?? '', frame: fields[`${id}:frame`] ?? '' }));
