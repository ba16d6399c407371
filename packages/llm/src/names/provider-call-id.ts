import { createHash } from 'node:crypto';

/** What every provider takes as the id of a tool call; OpenAI's limit is the shortest. */
const SAFE = /^[a-zA-Z0-9_-]{1,40}$/;

/** Our `call_id` as a provider takes it: itself if it can be, else an id made from its hash, the same every time. */
export function toProviderCallId(callId: string): string {
  return SAFE.test(callId) ? callId : `call_${createHash('sha256').update(callId).digest('hex').slice(0, 26)}`;
}
