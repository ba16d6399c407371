import { createHash } from 'node:crypto';
import type { Quirks } from '../quirks.js';

/** What every provider takes as the id of a tool call; OpenAI's limit is the shortest. */
const SAFE = /^[a-zA-Z0-9_-]{1,40}$/;

/** Our `call_id` as a provider takes it: itself if it can be, else an id made from its hash, the same every time. */
export function toProviderCallId(callId: string): string {
  return SAFE.test(callId) ? callId : `call_${createHash('sha256').update(callId).digest('hex').slice(0, 26)}`;
}

/** OpenAI's limit. */
const MAX_LENGTH = 40;
const ALPHANUMERIC_9 = /^[a-zA-Z0-9]{9}$/;

/** The id of a call as a server takes it: itself if it can be, else one made from its hash, the same every time. */
export function toWireCallId(id: string, { tool_call_ids }: Quirks): string {
  if (tool_call_ids === 'alphanumeric9') {
    return ALPHANUMERIC_9.test(id) ? id : createHash('sha256').update(id).digest('hex').slice(0, 9);
  }
  return tool_call_ids !== 'any' && id.length > MAX_LENGTH ? toProviderCallId(id) : id;
}
