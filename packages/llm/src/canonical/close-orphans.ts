import { type Fold, Growth } from './growth.js';
import type { Message, ModelRequest, Part, TextPart, ToolCallPart, ToolResultPart } from './message.js';
import { UniqueNames } from '../names/unique-names.js';

/** What a model reads where nobody answered a call (R2: an unknown outcome is reported as unknown). */
const NO_RESULT =
  'Error [OUTCOME_UNKNOWN]: No result of this call was recorded. It may or may not have taken effect: check before you repeat it.';

/** A call and what came of it. */
interface Slot {
  readonly call: ToolCallPart;
  result?: ToolResultPart;
}

/** The calls of one message with the same id, in their order: results fill them one by one. */
interface Alike {
  readonly slots: Slot[];
  /** How many have a result. */
  filled: number;
}

/**
 * The last gate before a provider (R5): afterwards every tool call has exactly one result, in messages directly after it and in the order
 * of the calls, and no two calls of one message have the same id; those of other messages may, since a provider gets its own ids back. A call without a result gets one that says so; of several results the last counts; a
 * result of no call becomes text of the user. A request in order comes back as it is, the same object.
 * @param growth of the conversation, where it goes on
 */
export function closeOrphans(request: ModelRequest, growth = new Growth()): ModelRequest {
  const { isBroken, called, answered } = growth.fold(request.messages, ORDER).sum;
  if (!isBroken && answered === called.length) return request;
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
  const latest = new Map<string, Alike>();
  for (const { role, parts } of messages) {
    const here = new Map<string, Alike>();
    const ids = new UniqueNames();
    for (const part of parts) {
      if (part.kind === 'tool_call' && role === 'assistant') {
        const slot: Slot = { call: { ...part, id: ids.give(part.id) } };
        of.set(part, slot);
        const alike = here.get(part.id);
        if (alike) alike.slots.push(slot);
        else here.set(part.id, { slots: [slot], filled: 0 });
      } else if (part.kind === 'tool_result' && role !== 'assistant') {
        const alike = latest.get(part.id);
        const slot = alike?.slots[alike.filled] ?? alike?.slots.at(-1);
        if (!alike || !slot) continue;
        slot.result = part;
        alike.filled++;
        taken.add(part);
      }
    }
    for (const [id, alike] of here) latest.set(id, alike);
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

/** Whether results follow their calls. The calls of the last answer are kept until all of them are answered. */
interface Order {
  isBroken: boolean;
  called: string[];
  answered: number;
}

const ORDER: Fold<Order> = {
  key: closeOrphans,
  begin: () => ({ isBroken: false, called: [], answered: 0 }),
  add: (order, { role, parts }) => {
    if (role !== 'tool') {
      order.isBroken ||= order.answered < order.called.length;
      order.called = [];
      order.answered = 0;
    }
    for (const part of parts) {
      if (part.kind === 'tool_call') {
        order.isBroken ||= role !== 'assistant' || order.called.includes(part.id);
        order.called.push(part.id);
      } else if (part.kind === 'tool_result') order.isBroken ||= role !== 'tool' || part.id !== order.called[order.answered++];
      else order.isBroken ||= role === 'tool';
    }
  },
};
