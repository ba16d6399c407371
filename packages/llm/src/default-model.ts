/** The built-in model: rules, no language model. */
export const OFFLINE_MODEL = 'offline';

/** Asked with an upstream when nothing else is configured. */
export const DEFAULT_UPSTREAM_MODEL = 'gpt-5.4';

/** The model of sessions and requests that name none: the configured one, else what there is. */
export function defaultModel(configured: string | undefined, hasUpstream: boolean): string {
  return configured ?? (hasUpstream ? DEFAULT_UPSTREAM_MODEL : OFFLINE_MODEL);
}
