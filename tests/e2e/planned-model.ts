import { startScriptedProvider, type Reply, type ScriptedProvider } from '@codelab/testkit';

/** One answer of the model: text, or calls by canonical name. */
export interface Planned {
  readonly text?: string;
  readonly calls?: readonly { readonly tool: string; readonly args: object | string }[];
  /** Milliseconds between two pieces of text. */
  readonly slow?: number;
}

const PREFIX = 'plan: ';

/** A user message that tells {@link startPlannedModel} what to answer, step by step. */
export const plan = (...answers: readonly Planned[]): string => PREFIX + JSON.stringify(answers);

const textOf = (content: unknown): string =>
  typeof content === 'string' ? content : Array.isArray(content) ? content.map((part: { text?: string }) => part.text ?? '').join('') : '';

/** A scripted provider that answers by the plan in the last user message: any number of sessions at once. */
export const startPlannedModel = (): Promise<ScriptedProvider> =>
  startScriptedProvider({
    script: ({ body }): Reply => {
      const asked = body.messages.findLastIndex(({ role, content }) => role === 'user' && textOf(content).startsWith(PREFIX));
      const answers = JSON.parse(textOf(body.messages[asked]?.content).slice(PREFIX.length)) as Planned[];
      const step = body.messages.slice(asked + 1).filter(({ role }) => role === 'assistant').length;
      const answer = answers[step] ?? { text: 'the plan has no more steps' };
      return {
        text: answer.text,
        pieceCharacters: answer.text === undefined ? undefined : 4,
        delayMs: answer.text === undefined ? undefined : (answer.slow ?? 0),
        toolCalls: (answer.calls ?? []).map(({ tool, args }, index) => ({
          id: `call_${String(index)}`,
          name: tool.replace('.', '_'),
          arguments: typeof args === 'string' ? args : JSON.stringify(args),
        })),
        usage: { prompt_tokens: 10, completion_tokens: 5 },
      };
    },
  });
