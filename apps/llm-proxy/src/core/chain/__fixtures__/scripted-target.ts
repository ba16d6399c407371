import type { LlmError, ModelRequest, StreamPart } from '@codelab/llm';
import type { ModelEntry } from '../../models/models-file.js';
import type { Target } from '../../models/model-catalog.js';
import type { AskUpstream } from '../../upstreams/upstream.js';

/** What an upstream does when it is asked: parts, then the error if there is one. */
export type Play = Iterable<StreamPart | Error>;

/** A target whose upstream answers each attempt with the next play, the last one again and again. */
export interface ScriptedTarget extends Target {
  /** What it was asked, attempt by attempt. */
  readonly asked: { readonly request: ModelRequest; readonly ask: AskUpstream }[];
}

export function scriptedTarget(
  name: string,
  plays: readonly ((request: ModelRequest) => Play)[] | readonly Play[],
  entry: Partial<ModelEntry> = {},
): ScriptedTarget {
  const asked: ScriptedTarget['asked'] = [];
  return {
    asked,
    model: `${name}-model`,
    entry,
    upstream: {
      name,
      quirks: {},
      dialects: new Set(),
      async *stream(request, ask) {
        const play = plays[Math.min(asked.push({ request, ask }), plays.length) - 1] ?? [];
        for (const step of typeof play === 'function' ? play(request) : play) {
          if (step instanceof Error) throw step;
          yield step;
        }
      },
      relay: () => Promise.reject(new Error('not asked in a dialect')),
      close: () => Promise.resolve(),
    },
  };
}

export const TEXT: StreamPart = { kind: 'text_delta', text: 'hi' };
export const FINISH: StreamPart = { kind: 'finish', reason: 'stop' };

/** A play that fails before the first part. */
export const failing = (error: LlmError): Play => [error];
