import { toModelName, toToolName } from './model-names.js';
import type { Vocabulary } from './vocabulary.js';

/** The default vocabulary: the canonical tools with their own arguments, under names that providers take. */
export const codelabVocabulary: Vocabulary = {
  name: 'codelab',
  toModelTools: (tools) => tools.map(({ name, description, parameters }) => ({ name: toModelName(name), description, parameters })),
  toCanonical: toToolName,
  toModelName,
};
