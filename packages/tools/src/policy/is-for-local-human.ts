import type { JsonObject } from '../arguments/json.js';
import { findSensitive } from './find-sensitive.js';
import { readCall } from './policy-call.js';

/**
 * Whether a client by default takes a decision about the call only from its own human: commands, and paths that always ask (
 * docs/specification/policy.md#local-decisions). Other calls may be decided by any approver of the session.
 */
export function isForLocalHuman(toolName: string, args: JsonObject): boolean {
  const call = readCall(toolName, args);
  return call.command !== undefined || call.row?.alwaysAsks === true || findSensitive(call, args) !== undefined;
}
