import type { Message, Part, ToolResultPart } from '../../../canonical/message.js';

/** A message, and the results of its calls. */
interface Turn {
  readonly role: Message['role'];
  readonly parts: Part[];
  results?: { readonly role: 'tool'; readonly parts: Part[] };
}

/**
 * Builds messages out of items. What the model said in a row, texts, thoughts and calls, becomes one `assistant` message, as it was one
 * answer. A result goes into the `tool` message right after its call, wherever it stands among the items: no other dialect takes it elsewhere.
 */
export class Conversation {
  private readonly messagesNow: Turn[] = [];
  /** The message of each call. */
  private readonly calls = new Map<string, Turn>();

  /** Adds a whole message of the caller; one without content is none. */
  add(role: 'system' | 'user', parts: readonly Part[]): void {
    if (parts.length > 0) this.messagesNow.push({ role, parts: [...parts] });
  }

  /** Adds something that the model said. */
  addAnswer(...parts: readonly Part[]): void {
    let last = this.messagesNow.at(-1);
    if (last?.role !== 'assistant' || last.results) this.messagesNow.push((last = { role: 'assistant', parts: [] }));
    last.parts.push(...parts);
    for (const part of parts) if (part.kind === 'tool_call') this.calls.set(part.id, last);
  }

  /** Adds the result of a call. Says whether the conversation has the call; if not nothing was added. */
  addResult(result: ToolResultPart): boolean {
    const message = this.calls.get(result.id);
    if (!message) return false;
    (message.results ??= { role: 'tool', parts: [] }).parts.push(result);
    return true;
  }

  messages(): Message[] {
    return this.messagesNow.flatMap(({ role, parts, results }) => [{ role, parts }, ...(results ? [results] : [])]);
  }
}
