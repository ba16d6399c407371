import type { CountedUse } from '../../core/sessions/describe-cost.js';
import type { Gateway } from '../session/gateway.js';

const TIMEOUT_MS = 5_000;

/** What the llm-proxy of this machine has counted of a session in the last 30 days; undefined where it doesn't say. Throws what `fetch` throws. */
export async function readUse(
  { llmProxy, token }: Pick<Gateway, 'llmProxy' | 'token'>,
  sessionId: string,
): Promise<CountedUse | undefined> {
  if (llmProxy === undefined) return undefined;
  const answer = await fetch(`${llmProxy}/v1/usage?group_by=session`, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!answer.ok) return undefined;
  const { rows } = (await answer.json()) as { readonly rows?: readonly Readonly<Record<string, unknown>>[] };
  const row = rows?.find(({ session_id: id }) => id === sessionId);
  if (row === undefined) return undefined;
  const count = (name: string): number => (typeof row[name] === 'number' ? row[name] : 0);
  return {
    requests: count('requests'),
    inputTokens: count('input_tokens'),
    cachedInputTokens: count('cached_input_tokens'),
    outputTokens: count('output_tokens'),
    costUsd: count('cost_usd'),
  };
}
