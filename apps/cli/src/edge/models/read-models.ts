import type { ModelSummary } from '../../core/models/model-entries.js';
import type { Gateway } from '../session/gateway.js';

const TIMEOUT_MS = 10_000;

/**
 * The models that may be asked: those of the llm-proxy of this machine's services, and behind a gateway that was named those that the same
 * address lists, as it does behind a domain. Throws what to do instead.
 */
export async function readModels({
  llmProxy,
  http,
  token,
}: Pick<Gateway, 'llmProxy' | 'http' | 'token'>): Promise<readonly ModelSummary[]> {
  const answer = await fetch(`${llmProxy ?? http}/v1/models`, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => undefined); // it is being started again
  const listed = answer?.ok === true ? ((await answer.json().catch(() => ({}))) as { readonly data?: unknown }).data : undefined;
  if (Array.isArray(listed)) return listed.flatMap(readSummary);
  if (llmProxy === undefined)
    throw new Error(
      'The models behind this gateway are not listed here: /model NAME takes one, `GET /v1/models` of its llm-proxy names them.',
    );
  throw new Error(`The models can't be listed: llm-proxy ${answer ? `says HTTP ${answer.status}` : 'does not answer'}.`);
}

function readSummary(model: unknown): readonly ModelSummary[] {
  const { id, display_name: name, owned_by: upstream, context_window: window } = (model ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof id !== 'string') return [];
  return [
    {
      id,
      displayName: typeof name === 'string' ? name : undefined,
      upstream: typeof upstream === 'string' ? upstream : undefined,
      contextWindow: typeof window === 'number' ? window : undefined,
    },
  ];
}
