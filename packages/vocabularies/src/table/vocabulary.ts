import type { VocabularyName } from '@codelab/tools';
import type { Row } from './row.js';

/** A table of rows: all that a model is shown of the tools of a session, and the way from its calls to canonical ones. */
export interface Vocabulary {
  readonly name: VocabularyName;
  readonly rows: readonly Row[];
  /** What the system prompt says of how to work with these tools: one line each, without a mark before it. */
  readonly etiquette: readonly string[];
}

/** The vocabulary for a model by its family: the name decides, with whatever provider stands before it. */
export const vocabularyOf = (model: string): VocabularyName => (/(^|[/.:])claude-/i.test(model) ? 'claude-code' : 'agent');
