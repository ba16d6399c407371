import type { SessionMeta, SessionStore } from '@codelab/bus';
import type { HistoryItem } from '@codelab/llm';
import { parseState } from '../turn/serialise-state.js';
import type { ToolErrorCode, TurnUsage } from '@codelab/protocol';

/** Items of a child's history that are looked at for its last words. */
const LAST_ITEMS = 200;

/** What a `tool_result` frame says of a call of `task`. */
export interface TaskResult {
  readonly result?: { readonly text: string };
  readonly error?: { readonly code: ToolErrorCode; readonly message: string };
  /** What the child used. */
  readonly usage?: TurnUsage;
}

/** What came of a child whose turn has ended, as a `tool_result` says it: its last words, or why there are none and what it had. */
export async function toTaskResult(
  store: Pick<SessionStore, 'readHistory'>,
  { ref, state, historyVersion }: SessionMeta,
  agent: string,
): Promise<TaskResult> {
  const parsed = parseState(state, { calls: [], historyVersion });
  const ended = parsed.kind === 'state' ? parsed.state.ended : undefined;
  const { items } = await store.readHistory(ref, { from: Math.max(0, historyVersion - LAST_ITEMS), limit: LAST_ITEMS });
  const text = lastWords(items);
  const { status = 'failed', reason = ended === undefined ? 'nothing is known of its end' : undefined, usage } = ended ?? {};
  const used = usage && { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens, cost_usd: usage.costUsd };
  if (status === 'completed' && reason === undefined) return { result: { text }, usage: used };
  if (status === 'completed')
    return { result: { text: `Stopped at ${reason}. What it found so far:\n${text || '(nothing)'}` }, usage: used };
  const had = text === '' ? '' : `\nWhat it had: ${text}`;
  return {
    error: { code: 'TASK_FAILED', message: `${agent} ended ${status}${reason === undefined ? '' : `: ${reason}`}${had}` },
    usage: used,
  };
}

const lastWords = (items: readonly string[]): string => {
  for (const text of [...items].reverse()) {
    const item = JSON.parse(text) as HistoryItem;
    if (item.role === 'assistant' && item.content !== '') return item.content;
  }
  return '';
};
