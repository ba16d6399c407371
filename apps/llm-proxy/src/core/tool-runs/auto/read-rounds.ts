import type { SessionRef, ToolCallRow, SessionReads } from '@codelab/bus';
import {
  historyToMessages,
  isViewItem,
  type AssistantItem,
  type HistoryItem,
  type HistoryToolCall,
  type Message,
  type ToolItem,
} from '@codelab/llm';
import { codelabVocabulary, isCanonicalTool } from '@codelab/tools';
import type { ToolInfo } from '../catalog/tool-info.js';
import type { CallTimes } from './call-times.js';

/** Items of the longest turn that is read back. */
const MAX_ITEMS = 10_000;

/** The history of a child: everything that was said and done in its turn. */
export async function readRounds(store: Pick<SessionReads, 'readHistory'>, child: SessionRef): Promise<readonly HistoryItem[]> {
  const { items } = await store.readHistory(child, { from: 0, limit: MAX_ITEMS });
  return items.map((text) => JSON.parse(text) as HistoryItem);
}

const isAssistant = (item: HistoryItem): item is AssistantItem => item.role === 'assistant';
const isResult = (item: HistoryItem): item is ToolItem => item.role === 'tool';

/** The calls of the last answer that nobody here ran. */
export function openCalls(items: readonly HistoryItem[]): readonly HistoryToolCall[] {
  const answered = new Set(items.filter(isResult).map(({ call_id }) => call_id));
  return (items.findLast(isAssistant)?.tool_calls ?? []).filter(({ call_id }) => !answered.has(call_id));
}

/**
 * The rounds of a turn as messages: each result behind its call, and no result of a call that was handed over. Such a call has our id, by
 * which its caller knows it.
 */
export function toRounds(items: readonly HistoryItem[], modelNames: ReadonlyMap<string, string>): readonly Message[] {
  const handedOver = new Set(openCalls(items).map(({ call_id }) => call_id));
  const ofIde = new Set(modelNames.values());
  const toModelName = (tool: string): string => {
    const name = codelabVocabulary.toModelName(tool);
    return isCanonicalTool(tool) || ofIde.has(name) ? name : tool;
  };
  const said = items.filter((item) => !isViewItem(item)); // a program gets all of it, whatever its model was shown
  return historyToMessages(said, toModelName, handedOver).filter(
    ({ role, parts }) => role !== 'tool' || !parts.some((part) => part.kind === 'tool_result' && handedOver.has(part.id)),
  );
}

/** What the log of tool calls says of a turn. */
export interface Logged {
  readonly model: string;
  readonly sessionId: string;
  readonly serverTools: readonly Pick<ToolInfo, 'name' | 'tags'>[];
  /** The last calls were handed to the caller; else those that have no result never ran. */
  readonly handedOver: boolean;
  readonly timesOf: (callId: string) => CallTimes | undefined;
}

const ERROR = /^Error \[([A-Z_]{1,64})\]/;

/** The calls of a turn as rows of the log, in their order. */
export function toRows(items: readonly HistoryItem[], logged: Logged): readonly ToolCallRow[] {
  const results = new Map(items.filter(isResult).map((item) => [item.call_id, item]));
  const ofServers = new Map(logged.serverTools.map(({ name, tags }) => [name, tags[0] === 'mcp' ? ('mcp' as const) : ('http' as const)]));
  const answers = items.filter((item): item is AssistantItem => isAssistant(item) && item.tool_calls.length > 0);
  return answers.flatMap((answer, place) =>
    answer.tool_calls.flatMap((call): ToolCallRow[] => {
      const result = results.get(call.call_id);
      if (result === undefined && !logged.handedOver) return [];
      const { model, sessionId } = logged;
      const common = {
        callId: call.call_id,
        tool: call.tool_name,
        model,
        sessionId,
        round: place + 1,
        bytesIn: Buffer.byteLength(call.arguments),
      };
      if (result === undefined) {
        return [{ ...common, source: 'caller', outcome: 'handed_over', startedAtMs: answer.at_ms, durationMs: 0, bytesOut: 0 }];
      }
      const source = isCanonicalTool(call.tool_name) ? 'builtin' : (ofServers.get(call.tool_name) ?? 'client');
      return [{ ...common, source, ...timing(answer, result, logged.timesOf(call.call_id)), ...outcome(result) }];
    }),
  );
}

function timing({ at_ms: askedAtMs }: AssistantItem, { at_ms: writtenAtMs }: ToolItem, times: CallTimes | undefined) {
  const { startedAtMs = askedAtMs, endedAtMs = writtenAtMs, approvalWaitMs } = times ?? {};
  const durationMs = Math.max(0, endedAtMs - startedAtMs);
  return { startedAtMs, durationMs, approvalWaitMs };
}

function outcome({ content, is_error: isError }: ToolItem): Pick<ToolCallRow, 'outcome' | 'errorCode' | 'bytesOut'> {
  const code = isError ? ERROR.exec(content)?.[1] : undefined;
  return { outcome: isError ? 'error' : 'ok', bytesOut: Buffer.byteLength(content), errorCode: code };
}
