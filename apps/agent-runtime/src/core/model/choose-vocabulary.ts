import type { VocabularyName } from '@codelab/tools';
import { findVocabulary, vocabularyOf } from '@codelab/vocabularies';
import type { RuntimeLimits } from '../turn/runtime-limits.js';
import type { SessionFacts } from '../session/session-facts.js';

/** The vocabulary of a turn: the one that the session names, else the operator's, else by the family of its model. */
export function chooseVocabulary({ vocabulary }: SessionFacts, { defaultVocabulary }: RuntimeLimits, model: string): VocabularyName {
  const choice = vocabulary === 'auto' ? defaultVocabulary : vocabulary;
  const name = choice === 'auto' ? vocabularyOf(model) : choice;
  return findVocabulary(name)?.name ?? 'codelab';
}
