/** What a user without a key is told at the start. */
export const offlineHint =
  'The offline model answers: a set of rules, no language model. For a real one set OPENAI_API_KEY and CODELAB_MODEL ' +
  '(and OPENAI_BASE_URL for another server, such as Ollama), and start again.';
