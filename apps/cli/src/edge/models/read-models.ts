import type { Gateway } from '../session/gateway.js';

const TIMEOUT_MS = 10_000;

/**
 * The names of the models that may be asked, as the llm-proxy of this machine's services lists them; `undefined` where it isn't known, as
 * behind a gateway that was named. Throws with what went wrong.
 */
export async function readModels({ llmProxy, token }: Pick<Gateway, 'llmProxy' | 'token'>): Promise<readonly string[] | undefined> {
  if (llmProxy === undefined) return undefined;
  const answer = await fetch(`${llmProxy}/v1/models`, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => undefined); // it is being started again
  if (answer?.ok !== true)
    throw new Error(`The models can't be listed: llm-proxy ${answer ? `says HTTP ${answer.status}` : 'does not answer'}.`);
  const { data } = (await answer.json()) as { readonly data: readonly { readonly id: string }[] };
  return data.map(({ id }) => id);
}
