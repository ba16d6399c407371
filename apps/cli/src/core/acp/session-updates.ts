import type { SessionUpdate, ToolCall, ToolCallUpdate } from '@agentclientprotocol/sdk';
import { keyOf, type CallItem, type Item, type SessionView, type Todo } from '@codelab/client/view';
import { toToolCall, type CallPlace } from './tool-call.js';

/** How an editor is told of a session. */
export interface TellingPlace extends CallPlace {
  /** Whether the editor itself sent this message: it shows it already. */
  readonly isOwn: (messageId: string) => boolean;
  /** The editor shows notices; without, warnings are told as thoughts, and what is only nice to know is not. */
  readonly notices: boolean;
  /** The editor shows when a conversation is summed up. */
  readonly compactions: boolean;
}

/**
 * What an editor has to be told so that it shows `after` where it shows `before`. Pure. Text that was told can't be taken back: of a message that
 * the model began anew both are shown.
 */
export function updatesBetween(before: SessionView, after: SessionView, place: TellingPlace): readonly SessionUpdate[] {
  if (before === after) return [];
  const known = new Map(before.items === after.items ? [] : before.items.map((item) => [keyOf(item), item]));
  const items = before.items === after.items ? [] : after.items;
  return [
    ...items.flatMap((item) => {
      const earlier = known.get(keyOf(item));
      return earlier === item ? [] : tellItem(earlier, item, place);
    }),
    ...(before.todos === after.todos || isSame(before.todos, after.todos) ? [] : [toPlan(after.todos)]),
    ...(place.compactions ? tellCompaction(before, after) : []),
    ...tellUsage(before, after),
  ];
}

function tellItem(before: Item | undefined, item: Item, place: TellingPlace): readonly SessionUpdate[] {
  switch (item.kind) {
    case 'user': {
      const isTold = before?.kind === 'user' && before.content !== '';
      if (isTold || item.content === '' || item.state === 'refused' || place.isOwn(item.messageId)) return [];
      return [{ sessionUpdate: 'user_message_chunk', messageId: item.messageId, content: { type: 'text', text: item.content } }];
    }
    case 'assistant': {
      const text = grownBy(before?.kind === 'assistant' ? before.text : '', item.text);
      return text === '' ? [] : [{ sessionUpdate: 'agent_message_chunk', messageId: item.messageId, content: { type: 'text', text } }];
    }
    case 'thought': {
      const text = grownBy(before?.kind === 'thought' ? before.text : '', item.text);
      return text === '' ? [] : [{ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text } }];
    }
    case 'call':
      return tellCall(before?.kind === 'call' ? before : undefined, item, place);
    case 'notice':
      return before === undefined ? tellNotice(item.tone, item.text, place) : [];
    case 'turn_end':
    case 'shell':
      return [];
  }
}

/** Characters by which the end of what was told is found again in a text that lost its beginning. */
const OVERLAP = 200;

/** What has come to a text. One that was kept only in part is found by the end of what stood there. */
function grownBy(before: string, after: string): string {
  if (after.startsWith(before)) return after.slice(before.length);
  const end = before.slice(-OVERLAP);
  const at = after.lastIndexOf(end);
  return at < 0 ? '' : after.slice(at + end.length);
}

function tellCall(before: CallItem | undefined, call: CallItem, place: TellingPlace): readonly SessionUpdate[] {
  const now = toToolCall(call, place);
  if (before === undefined) return [{ sessionUpdate: 'tool_call', ...withoutEmpty(now) }];
  const change = changesOf(toToolCall(before, place), now);
  return Object.keys(change).length === 1 ? [] : [{ sessionUpdate: 'tool_call_update', ...change }];
}

/** Only the fields that are something else by now; the id always. */
export function changesOf(before: ToolCall, now: ToolCall): ToolCallUpdate {
  const changed = Object.entries(now).filter(([name, value]) => name !== 'toolCallId' && !isSame(value, before[name as keyof ToolCall]));
  return { toolCallId: now.toolCallId, ...(Object.fromEntries(changed) as Partial<ToolCallUpdate>) };
}

const withoutEmpty = ({ content, locations, ...call }: ToolCall): ToolCall => ({
  ...call,
  ...(content !== undefined && content.length > 0 && { content }),
  ...(locations !== undefined && locations.length > 0 && { locations }),
});

/** Something that people should know beside the conversation. */
export function tellNotice(
  tone: 'info' | 'warning' | 'error',
  text: string,
  { notices }: Pick<TellingPlace, 'notices'>,
): readonly SessionUpdate[] {
  if (notices) return [{ sessionUpdate: 'notice', severity: tone, title: text }];
  return tone === 'info' ? [] : [{ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: `${text}\n\n` } }];
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const PLAN_STATUS = { open: 'pending', active: 'in_progress', done: 'completed' } as const satisfies Record<Todo['status'], string>;

const toPlan = (todos: readonly Todo[]): SessionUpdate => ({
  sessionUpdate: 'plan',
  entries: todos.map(({ content, status }) => ({ content, priority: 'medium', status: PLAN_STATUS[status] })),
});

/** The older part of the conversation is being summed up, in a turn. */
function tellCompaction(before: SessionView, after: SessionView): readonly SessionUpdate[] {
  const [was, is] = [before.activity === 'compacting', after.activity === 'compacting'];
  const compactionId = `compaction-${(after.turn ?? before.turn)?.turnId ?? ''}`;
  return was === is ? [] : [{ sessionUpdate: 'compaction_update', compactionId, status: is ? 'in_progress' : 'completed' }];
}

/** How full the window of the model is, and what the turns cost that were seen to end; only where both sides of it are known. */
function tellUsage(before: SessionView, { usage }: SessionView): readonly SessionUpdate[] {
  const { context_tokens: used, context_window: size, cost_usd: amount } = usage;
  if (before.usage === usage || used === undefined || size === undefined) return [];
  return [{ sessionUpdate: 'usage_update', used, size, cost: amount === undefined ? undefined : { amount, currency: 'USD' } }];
}
