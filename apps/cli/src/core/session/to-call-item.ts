import { JsonText } from '@codelab/protocol';
import type { ServerFrameOf } from '@codelab/protocol';
import type { CallItem, CallProgress } from './session-view.js';

const PROGRESS: Readonly<Record<ServerFrameOf<'tool_call'>['state'], CallProgress>> = {
  waiting_approval: 'waiting',
  ready: 'ready',
  answered: 'done',
};

/** What a `tool_call` frame, live or out of a snapshot, shows. A snapshot's `args` come as a value, a frame's as text. */
export function toCallItem(frame: Omit<ServerFrameOf<'tool_call'>, 'type' | 'args'> & { readonly args: unknown }, atMs: number): CallItem {
  const progress = PROGRESS[frame.state] ?? (frame.requires_approval ? 'waiting' : 'ready');
  return {
    kind: 'call',
    callId: frame.call_id,
    toolName: frame.tool_name,
    args: frame.args instanceof JsonText ? frame.args.text : JSON.stringify(frame.args ?? {}),
    argsSha256: frame.args_sha256,
    progress,
    ...(frame.approval ? { approval: frame.approval } : {}),
    ...(frame.origin === 'proxy' ? { program: true } : {}),
    ...(progress === 'ready' ? { startedAtMs: atMs } : {}),
  };
}
