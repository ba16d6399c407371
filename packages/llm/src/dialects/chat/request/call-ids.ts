import { createHash } from 'node:crypto';
import { toProviderCallId } from '../../../names/provider-call-id.js';
import type { Quirks } from '../../../quirks.js';

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
