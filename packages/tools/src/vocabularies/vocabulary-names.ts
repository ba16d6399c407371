/** The vocabularies: in whose words models call tools (docs/specification/tools.md#vocabularies). */
export const VOCABULARY_NAMES = ['codelab', 'agent', 'continue', 'claude-code', 'text-editor'] as const;
export type VocabularyName = (typeof VOCABULARY_NAMES)[number];

/** What a session may name: a vocabulary, or `auto` for the one of its model's family. */
export const VOCABULARY_CHOICES = ['auto', ...VOCABULARY_NAMES] as const;
export type VocabularyChoice = (typeof VOCABULARY_CHOICES)[number];
