import { decodeServerFrame } from '@codelab/protocol';
import { argsDigest, isJsonObject, type JsonObject } from '@codelab/tools';
import type { ReadyCall } from '../turn/turn-state.js';

/** What a call runs with. */
export interface CallArguments {
  readonly text: string;
  readonly args: JsonObject;
}

/**
 * The arguments as the model wrote them, or as the human who was asked did. `undefined`: they are not those that were decided on (H2), since the
 * store lost a long string of them.
 */
export function readArguments({ frame, edited, argsSha256 }: ReadyCall): CallArguments | undefined {
  const sent = decodeServerFrame(frame);
  const text = edited ?? (sent?.type === 'tool_call' ? sent.args.text : '{}');
  const args: unknown = JSON.parse(text);
  return isJsonObject(args) && argsDigest(args) === argsSha256 ? { text, args } : undefined;
}

/** What the model reads of a call that can't be run as it was decided on. */
export const LOST_ARGUMENTS = {
  code: 'INVALID_ARGUMENTS',
  message: 'The store lost a part of the arguments of this call. Nothing was done: call it again.',
} as const;
