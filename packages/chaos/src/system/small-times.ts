/** Settings that make seconds out of what takes minutes, so that a freeze of some seconds is beyond every one of them. */
export const SMALL_TIMES: Readonly<Record<string, string>> = {
  LOG_LEVEL: 'info',
  DRAIN_TIMEOUT_MS: '1500',
  GATEWAY_DRAIN_SPREAD_MS: '100',
  GATEWAY_EXECUTOR_GRACE_MS: '1000',
  GATEWAY_PING_INTERVAL_MS: '1000',
  GATEWAY_STALLED_MS: '5000',
  GATEWAY_STORE_AWAY_MS: '6000',
  RUNTIME_LINGER_MS: '1000',
  // sessions at rest are put away and come back all the time
  RUNTIME_FREEZE_AFTER_MS: '1000',
  RUNTIME_JANITOR_INTERVAL_MS: '1000',
  LLM_PROXY_CONNECT_TIMEOUT_MS: '1000',
  LLM_PROXY_FIRST_TOKEN_TIMEOUT_MS: '3000',
  LLM_PROXY_IDLE_TIMEOUT_MS: '3000',
  CODELAB_VOCABULARY: 'codelab',
};
