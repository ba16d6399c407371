import { LlmError, openai, type ModelRequest, type StreamPart } from '@codelab/llm';
import { Agent } from 'undici';
import type { Provider } from '../../provider.js';
import { Deadlines, type Timeouts } from './deadlines.js';
import { refusalToLlmError, toLlmError } from './errors.js';
import { chatCompletionsUrl, sendRequest, type Upstream } from './request.js';
import { readAnswer } from './stream.js';

export type { Timeouts } from './deadlines.js';

export interface OpenAiProviderOptions {
  /** With `/v1`, as the vendors write it. */
  readonly baseUrl: string;
  /** Left out for servers that want none. */
  readonly apiKey?: string;
  readonly timeouts: Timeouts;
}

/** Any server that speaks OpenAI's Chat Completions: OpenAI, Ollama, vLLM, LM Studio, OpenRouter and others. */
export class OpenAiProvider implements Provider {
  readonly name = 'openai';
  readonly #agent: Agent;
  readonly #upstream: Upstream;
  readonly #timeouts: Timeouts;

  constructor({ baseUrl, apiKey, timeouts }: OpenAiProviderOptions) {
    // our own deadlines know first token, idle and total: undici's two are switched off
    this.#agent = new Agent({ connect: { timeout: timeouts.connectMs }, headersTimeout: 0, bodyTimeout: 0 });
    this.#upstream = { url: chatCompletionsUrl(baseUrl), ...(apiKey !== undefined && { apiKey }), dispatcher: this.#agent };
    this.#timeouts = timeouts;
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<StreamPart, void, undefined> {
    const deadlines = new Deadlines(this.#timeouts, signal);
    try {
      const { body, names } = openai.encodeRequest(request);
      const response = await sendRequest(this.#upstream, body, deadlines.signal);
      if (response.statusCode < 200 || response.statusCode >= 300) throw await refusalToLlmError(response);
      yield* readAnswer(response, names, deadlines);
    } catch (error) {
      throw error instanceof LlmError ? error : toLlmError(deadlines.signal.aborted ? deadlines.signal.reason : error, false);
    } finally {
      deadlines.end();
    }
  }

  /** Closes every connection, those in use too. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}
