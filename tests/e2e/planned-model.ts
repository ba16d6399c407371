import { startScriptedProvider, type Reply, type ScriptedProvider } from '@codelab/testkit';

/** One answer of the model: text, or calls by canonical name. */
export interface Planned {
  readonly text?: string;
  readonly calls?: readonly { readonly tool: string; readonly args: object | string }[];
  /** Milliseconds between two pieces of text. */
  readonly slow?: number;
  /** Comes before the text. */
  readonly thinking?: string;
  /** What is answered in its place the first time. */
  readonly refused?: Pick<Reply, 'status' | 'headers' | 'body'>;
  /** Nothing is answered before this. */
  readonly hold?: Promise<unknown>;
}

const PREFIX = 'plan: ';

/** A user message that tells {@link startPlannedModel} what to answer, step by step. */
export const plan = (...answers: readonly Planned[]): string => PREFIX + JSON.stringify(answers);

const textOf = (content: unknown): string =>
  typeof content === 'string' ? content : Array.isArray(content) ? content.map((part: { text?: string }) => part.text ?? '').join('') : '';

/**
 * A scripted provider that answers by the plan in the last user message, or by the plan that `plans` has for a message that holds these
 * words: any number of sessions at once. A request without a plan fails.
 */
export const startPlannedModel = (plans: Readonly<Record<string, readonly Planned[]>> = {}): Promise<ScriptedProvider> => {
  const refused = new Set<string>();
  return startScriptedProvider({
    script: ({ body }): Reply => {
      const planOf = (text: string): readonly Planned[] | undefined =>
        text.startsWith(PREFIX)
          ? (JSON.parse(text.slice(PREFIX.length)) as Planned[])
          : Object.entries(plans).find(([words]) => text.includes(words))?.[1];
      const asked = body.messages.findLastIndex(({ role, content }) => role === 'user' && planOf(textOf(content)) !== undefined);
      const answers = planOf(textOf(body.messages[asked]?.content));
      if (answers === undefined) throw new Error('no message has a plan'); // nothing is answered, as by a provider that fails
      const step = body.messages.slice(asked + 1).filter(({ role }) => role === 'assistant').length;
      const answer = answers[step] ?? { text: 'the plan has no more steps' };
      const name = `${String(step)} ${textOf(body.messages[asked]?.content)}`;
      if (answer.refused !== undefined && refused.size < refused.add(name).size) return answer.refused;
      return {
        text: answer.text,
        thinking: answer.thinking,
        hold: answer.hold,
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
};
