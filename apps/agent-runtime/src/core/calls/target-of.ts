import { decodeServerFrame } from '@codelab/protocol';
import { auditTarget, isJsonObject } from '@codelab/tools';
import type { Call } from '../turn/turn-state.js';

/** What an open call acts on, for the audit trail; '' where its record is gone. */
export function targetOf(call: Pick<Call, 'toolName' | 'frame'>): string {
  const frame = decodeServerFrame(call.frame);
  const args = frame?.type === 'tool_call' ? frame.args.parse() : undefined;
  return isJsonObject(args) ? auditTarget(call.toolName, args) : '';
}
