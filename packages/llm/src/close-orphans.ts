import type { Message, ModelRequest, Part, TextPart, ToolCallPart, ToolResultPart } from './message.js';

/** What a model reads where nobody answered a call (R2: an unknown outcome is reported as unknown). */
const NO_RESULT =
  'Error [OUTCOME_UNKNOWN]: No result of this call was recorded. It may or may not have taken effect: check before you repeat it.';

/** A call and what came of it. */
interface Slot {
  readonly call: ToolCallPart;
  result?: ToolResultPart;
}

/**
 * The last gate before a provider (R5): afterwards every tool call has exactly one result, in messages directly after it and in the order
 * of the calls, and no two calls have the same id. A call without a result gets one that says so; of several results the last counts; a
 * result of no call becomes text of the user. A request in order comes back as it is, the same object.
 */
export function closeOrphans(request: ModelRequest): ModelRequest {
  if (isInOrder(request.messages)) return request;
  const slots = matchResults(request.messages);
  const messages = request.messages.flatMap((message): Message[] => {
    if (message.role === 'assistant') return withResults(message, slots);
    const parts = message.parts.flatMap((part) => {
      if (part.kind === 'tool_call') return []; // only an assistant calls
      return part.kind === 'tool_result' ? toText(part, slots) : [part];
    });
    const role = message.role === 'tool' ? 'user' : message.role;
    return parts.length === 0 && message.parts.length > 0 ? [] : [{ role, parts }];
  });
  return { ...request, messages };
}

/** The calls of the conversation, and the results that were taken for one. */
interface Slots {
  readonly of: ReadonlyMap<ToolCallPart, Slot>;
  readonly taken: ReadonlySet<ToolResultPart>;
}

/** A result belongs to the last call with its id before it; among calls of one message with the same id, to the first without one. */
function matchResults(messages: readonly Message[]): Slots {
  const of = new Map<ToolCallPart, Slot>();
  const taken = new Set<ToolResultPart>();
  const latest = new Map<string, Slot[]>();
  const ids = new Set<string>();
  for (const { role, parts } of messages) {
    const here = new Map<string, Slot[]>();
    for (const part of parts) {
      if (part.kind === 'tool_call' && role === 'assistant') {
        const slot: Slot = { call: { ...part, id: uniqueId(part.id, ids) } };
        of.set(part, slot);
        here.set(part.id, [...(here.get(part.id) ?? []), slot]);
      } else if (part.kind === 'tool_result' && role !== 'assistant') {
        const candidates = latest.get(part.id);
        const slot = candidates?.find(({ result }) => result === undefined) ?? candidates?.at(-1);
        if (!slot) continue;
        slot.result = part;
        taken.add(part);
      }
    }
    for (const [id, list] of here) latest.set(id, list);
  }
  return { of, taken };
}

function withResults({ role, parts }: Message, { of }: Slots): Message[] {
  const kept = parts.filter(({ kind }) => kind !== 'tool_result');
  const slots = kept.flatMap((part) => (part.kind === 'tool_call' ? (of.get(part) ?? []) : []));
  const renamed = kept.map((part) => (part.kind === 'tool_call' ? (of.get(part)?.call ?? part) : part));
  const results = slots.map(({ call: { id }, result }): Message => {
    const part: ToolResultPart = result ? { ...result, id } : { kind: 'tool_result', id, content: NO_RESULT, isError: true };
    return { role: 'tool', parts: [part] };
  });
  return renamed.length === 0 && parts.length > 0 ? results : [{ role, parts: renamed }, ...results];
}

/** A result of no call, in the words of the lenient door (RQ6, RQ7). One that was taken stands with its call already. */
function toText(result: ToolResultPart, { taken }: Slots): Part[] {
  if (taken.has(result)) return [];
  const { content, images = [] } = result;
  const said: TextPart[] = content.trim() === '' ? [] : [{ kind: 'text', text: `Tool result: ${content}` }];
  return [...said, ...images];
}

function uniqueId(wanted: string, ids: Set<string>): string {
  let id = wanted;
  for (let n = 2; ids.has(id); n++) id = `${wanted}_${n}`;
  ids.add(id);
  return id;
}

function isInOrder(messages: readonly Message[]): boolean {
  const ids = new Set<string>();
  let open: string[] = [];
  for (const { role, parts } of messages) {
    if (open.length > 0 && role !== 'tool') return false;
    for (const part of parts) {
      if (part.kind === 'tool_call') {
        if (role !== 'assistant' || ids.has(part.id)) return false;
        ids.add(part.id);
        open.push(part.id);
      } else if (part.kind === 'tool_result') {
        if (role !== 'tool' || part.id !== open[0]) return false;
        open = open.slice(1);
      } else if (role === 'tool') return false;
    }
  }
  return open.length === 0;
}
