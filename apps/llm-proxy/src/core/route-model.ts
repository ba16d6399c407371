import { LlmError, OFFLINE_MODEL } from '@codelab/llm';
import type { Provider } from './provider.js';

/** What may be asked. */
export interface Routes {
  readonly offline: Provider;
  /** The OpenAI-compatible upstream, if one is configured. */
  readonly openai?: Provider;
  /** Asked when a request names no model. */
  readonly defaultModel: string;
}

/** Who is asked, and for which of its models. */
export interface Route {
  readonly provider: Provider;
  readonly model: string;
}

const OFFLINE = /^offline(?![a-z0-9])/i;
const OPENAI_PREFIX = /^openai\//i;

/**
 * Routes by the model's name, with no registration: `offline` and `offline-…` to the built-in model, everything else to the only
 * upstream, `openai/` cut off. Throws `not_found`, saying what to set, when there is no upstream for it.
 */
export function routeModel(name: string, routes: Routes): Route {
  const model = name.trim() || routes.defaultModel;
  if (OFFLINE.test(model)) return { provider: routes.offline, model };
  if (routes.openai) return { provider: routes.openai, model: model.replace(OPENAI_PREFIX, '') };
  throw new LlmError(
    'not_found',
    `No provider is configured for the model ${JSON.stringify(model.slice(0, 100))}: set OPENAI_API_KEY, or OPENAI_BASE_URL for an ` +
      `OpenAI-compatible server, for llm-proxy, or use the built-in model "${OFFLINE_MODEL}".`,
  );
}
