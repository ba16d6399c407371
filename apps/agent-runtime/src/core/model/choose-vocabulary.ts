import { VOCABULARY_NAMES, type VocabularyName } from '@codelab/tools';
import { findVocabulary, vocabularyOf } from '@codelab/vocabularies';
import type { StepContext } from '../turn/step-context.js';

/**
 * The vocabulary of a turn: the one that the session names, else the operator's, else the one that the models file gives the model, else by
 * the family of the model that the name leads to.
 */
export function chooseVocabulary({ facts, limits, known }: StepContext, model: string): VocabularyName {
  const choice = facts.vocabulary === 'auto' ? limits.defaultVocabulary : facts.vocabulary;
  const fact = known?.find(model);
  const name = choice === 'auto' ? (fact?.vocabulary ?? vocabularyOf(fact?.model ?? model)) : choice;
  const ours = VOCABULARY_NAMES.find((one) => one === name) ?? 'codelab';
  return findVocabulary(ours)?.name ?? 'codelab';
}
