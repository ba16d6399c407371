import { decodeServerFrame, type ServerFrameOf, type Snapshot } from '@codelab/protocol';
import type { SessionView, ViewCall, ViewEntry, ViewQueued, ViewToolEntry, ViewTurn } from './session-view.js';

type Fields = Readonly<Record<string, unknown>>;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Items of a snapshot are carried as JSON, decoded or not. */
const plain = (item: unknown): Fields => JSON.parse(JSON.stringify(item)) as Fields;

const definedOnly = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T; // optional fields may be left out of any T

/** A call as the view shows it. */
export const toViewCall = (frame: ServerFrameOf<'tool_call'>): ViewCall => ({
  callId: frame.call_id,
  toolName: frame.tool_name,
  args: frame.args.text,
  argsSha256: frame.args_sha256,
  requiresApproval: frame.requires_approval,
  idempotency: frame.idempotency,
  state: frame.state,
  approval: frame.approval,
  ...(frame.origin === 'proxy' ? { program: true } : {}),
});

/** A waiting message as the view shows it. */
export const toViewQueued = (item: unknown): ViewQueued => {
  const { message_id, content } = plain(item);
  return { messageId: text(message_id), content: text(content) };
};

const toTools = (calls: unknown): readonly ViewToolEntry[] =>
  (Array.isArray(calls) ? (calls as Fields[]) : []).map(({ call_id, tool_name, arguments: args }) => ({
    kind: 'tool',
    callId: text(call_id),
    toolName: text(tool_name),
    args: text(args),
    status: 'open',
  }));

/** The entries of a history, oldest first: a result goes to the call that it answers. */
const toEntries = (history: readonly unknown[]): ViewEntry[] => {
  const entries: ViewEntry[] = [];
  for (const item of history.map(plain)) {
    const content = text(item['content']);
    const messageId = text(item['message_id']);
    if (item['role'] === 'user') entries.push({ kind: 'user', messageId, content });
    else if (item['role'] === 'note') entries.push({ kind: 'note', content });
    else if (item['role'] === 'assistant') {
      const tools = toTools(item['tool_calls']);
      if (content !== '' || tools.length === 0) entries.push({ kind: 'assistant', messageId, text: content, isFinal: tools.length === 0 });
      entries.push(...tools);
    } else if (item['role'] === 'tool') {
      const callId = text(item['call_id']);
      const at = entries.findIndex((entry) => entry.kind === 'tool' && entry.callId === callId);
      const known = entries[at] as ViewToolEntry | undefined; // found as a tool entry
      const result = { status: item['is_error'] === true ? 'errored' : 'done', content } as const;
      if (known === undefined) entries.push({ kind: 'tool', callId, toolName: text(item['tool_name']), ...result });
      else entries[at] = { ...known, ...result };
    }
  }
  return entries;
};

const toTurn = (turn: Snapshot['turn']): ViewTurn | undefined =>
  turn === undefined
    ? undefined
    : {
        turnId: text(turn['turn_id']),
        status: 'running',
        messageIds: Array.isArray(turn['message_ids']) ? turn['message_ids'].map(text) : [],
        model: text(turn['model']),
      };

/** The view that a snapshot gives, in the place of everything that frames told before. */
export function viewOfSnapshot(view: SessionView, welcome: ServerFrameOf<'welcome'>, snapshot: Snapshot): SessionView {
  const calls = snapshot.open_calls.map((item) => decodeServerFrame(JSON.stringify(item))).filter((frame) => frame?.type === 'tool_call');
  const { partial } = snapshot;
  const entries = toEntries(snapshot.history);
  if (partial !== undefined) entries.push({ kind: 'assistant', messageId: partial.message_id, text: partial.text, isFinal: false });
  return definedOnly({
    sessionId: welcome.session_id,
    epoch: welcome.epoch,
    seq: snapshot.seq,
    executor: welcome.executor,
    agent: view.agent,
    agentStatus: view.agentStatus,
    turn: toTurn(snapshot.turn),
    partial: partial === undefined ? undefined : { messageId: partial.message_id, text: partial.text },
    entries,
    historyCursor: snapshot.history_cursor,
    calls: calls.map(toViewCall),
    queue: snapshot.queue.map(toViewQueued),
    todos: snapshot.todos.map(plain),
    usage: view.usage,
  }); // `undefined` fields are taken out, which the optional ones allow
}
