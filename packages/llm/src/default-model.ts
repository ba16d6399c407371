/** The built-in model: rules, no language model. */
export const OFFLINE_MODEL = 'offline';

/** Asked when nothing else is configured, with an upstream of each kind. */
export const DEFAULT_OPENAI_MODEL = 'gpt-5.4';
export const DEFAULT_ANTHROPIC_MODEL = 'claude-sonnet-4-5';

/** Which kinds of upstreams are configured. */
export interface UpstreamKinds {
  readonly openai: boolean;
  readonly anthropic: boolean;
}

/** The model of sessions and requests that name none: the configured one, else what there is. */
export function defaultModel(configured: string | undefined, { openai, anthropic }: UpstreamKinds): string {
  return configured ?? (openai ? DEFAULT_OPENAI_MODEL : anthropic ? DEFAULT_ANTHROPIC_MODEL : OFFLINE_MODEL);
}
