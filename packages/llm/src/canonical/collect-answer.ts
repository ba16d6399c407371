import { LlmError } from '../errors/llm-error.js';
import type { Thought } from './message.js';
import type { FinishReason, StreamPart, Usage } from './stream-part.js';

/**
 * One call of an answer. `providerId` is what the provider named it, empty where it gave no name or one that the answer had already;
 * `arguments` is its JSON text as it came.
 */
export interface AnsweredCall {
  readonly providerId: string;
  readonly name: string;
  readonly arguments: string;
}

/** What a whole stream adds up to. */
export interface Answer {
  readonly text: string;
  readonly toolCalls: readonly AnsweredCall[];
  /** Thoughts in their order; left out without any. */
  readonly thinking?: readonly Thought[];
  readonly finish: FinishReason;
  readonly usage?: Usage;
}

/** Adds up a stream while it passes by. */
export class AnswerBuilder {
  private readonly textNow: string[] = [];
  private readonly thoughts: (Thought | { readonly kind: 'open'; readonly pieces: string[] })[] = [];
  private readonly calls: { providerId: string; name: string; readonly pieces: string[] }[] = [];
  private finish: Extract<StreamPart, { kind: 'finish' }> | undefined;

  /** Characters of text, thoughts and arguments so far. */
  characters = 0;

  add(part: StreamPart): void {
    switch (part.kind) {
      case 'text_delta':
        this.endThought();
        this.textNow.push(part.text);
        this.characters += part.text.length;
        break;
      case 'tool_call_start':
        this.endThought();
        this.calls[part.index] = { providerId: part.isMadeUp ? '' : part.id, name: part.name, pieces: [] };
        break;
      case 'tool_call_delta':
        this.calls[part.index]?.pieces.push(part.arguments);
        this.characters += part.arguments.length;
        break;
      case 'finish':
        this.finish = part;
        break;
      case 'thinking_delta':
        this.think(part.text, part.signature);
        this.characters += part.text.length;
        break;
      case 'redacted_thinking':
        this.thoughts.push({ kind: 'redacted_thinking', data: part.data });
        break;
      case 'tool_call_end':
        break;
    }
  }

  private endThought(): void {
    const last = this.thoughts.at(-1);
    if (last?.kind === 'open') this.thoughts[this.thoughts.length - 1] = { kind: 'thinking', text: last.pieces.join('') };
  }

  /** Goes on with the thought that is open, or begins one; a signature ends it. */
  private think(text: string, signature: string | undefined): void {
    const last = this.thoughts.at(-1);
    const open = last?.kind === 'open' ? last : { kind: 'open' as const, pieces: [] };
    if (open !== last) this.thoughts.push(open);
    open.pieces.push(text);
    if (signature !== undefined) this.thoughts[this.thoughts.length - 1] = { kind: 'thinking', text: open.pieces.join(''), signature };
  }

  /** The text so far, whole or not. */
  get text(): string {
    return this.textNow.join('');
  }

  /** What the provider counted, once it did. */
  get usage(): Usage | undefined {
    return this.finish?.usage;
  }

  /** The whole answer; throws `stream_interrupted` if no `finish` was added. */
  build(): Answer {
    if (!this.finish) throw new LlmError('stream_interrupted', 'The answer of the model ended without saying why.');
    const { reason, usage } = this.finish;
    const toolCalls = this.calls.map(({ providerId, name, pieces }) => ({ providerId, name, arguments: pieces.join('') }));
    const thinking = this.thoughts.map((thought): Thought =>
      thought.kind === 'open' ? { kind: 'thinking', text: thought.pieces.join('') } : thought,
    );
    return { text: this.text, toolCalls, thinking: thinking.length > 0 ? thinking : undefined, finish: reason, usage };
  }
}

/** Reads a stream to its end and adds it up. Throws what the stream throws, or `stream_interrupted` if it ends without `finish`. */
export async function collectAnswer(parts: AsyncIterable<StreamPart> | Iterable<StreamPart>): Promise<Answer> {
  const builder = new AnswerBuilder();
  for await (const part of parts) builder.add(part);
  return builder.build();
}
