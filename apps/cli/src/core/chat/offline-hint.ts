/** What a user without a key is told at the start. */
export const offlineHint =
  'The offline model answers: a set of rules, no language model. For a real one set ANTHROPIC_API_KEY or OPENAI_API_KEY ' +
  '(OPENAI_BASE_URL for another server, such as Ollama, and CODELAB_MODEL for its model), and start again.';
