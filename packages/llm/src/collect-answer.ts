import { LlmError } from './llm-error.js';
import type { FinishReason, StreamPart, Usage } from './stream-part.js';

/** One call of an answer. `providerId` is what the provider named it, `arguments` its JSON text as it came. */
export interface AnsweredCall {
  readonly providerId: string;
  readonly name: string;
  readonly arguments: string;
}

/** What a whole stream adds up to. */
export interface Answer {
  readonly text: string;
  readonly toolCalls: readonly AnsweredCall[];
  readonly finish: FinishReason;
  readonly usage?: Usage;
}

/** Adds up a stream while it passes by. */
export class AnswerBuilder {
  readonly #text: string[] = [];
  readonly #calls: { providerId: string; name: string; readonly pieces: string[] }[] = [];
  #finish: Extract<StreamPart, { kind: 'finish' }> | undefined;

  add(part: StreamPart): void {
    switch (part.kind) {
      case 'text_delta':
        this.#text.push(part.text);
        break;
      case 'tool_call_start':
        this.#calls[part.index] = { providerId: part.id, name: part.name, pieces: [] };
        break;
      case 'tool_call_delta':
        this.#calls[part.index]?.pieces.push(part.arguments);
        break;
      case 'finish':
        this.#finish = part;
        break;
      case 'thinking_delta':
      case 'redacted_thinking':
      case 'tool_call_end':
        break;
    }
  }

  /** The text so far, whole or not. */
  get text(): string {
    return this.#text.join('');
  }

  /** The whole answer; throws `stream_interrupted` if no `finish` was added. */
  build(): Answer {
    if (!this.#finish) throw new LlmError('stream_interrupted', 'The answer of the model ended without saying why.');
    const { reason, usage } = this.#finish;
    const toolCalls = this.#calls.map(({ providerId, name, pieces }) => ({ providerId, name, arguments: pieces.join('') }));
    return { text: this.text, toolCalls, finish: reason, ...(usage && { usage }) };
  }
}

/** Reads a stream to its end and adds it up. Throws what the stream throws, or `stream_interrupted` if it ends without `finish`. */
export async function collectAnswer(parts: AsyncIterable<StreamPart> | Iterable<StreamPart>): Promise<Answer> {
  const builder = new AnswerBuilder();
  for await (const part of parts) builder.add(part);
  return builder.build();
}
