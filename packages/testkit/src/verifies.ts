/** The title of a test that verifies a requirement: `id` is one of `tests/e2e/requirements.ts`, `sentence` says what holds. */
export const verifies = (id: string, sentence: string): string => `[${id}] ${sentence}`;
