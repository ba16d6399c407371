import type { Vocabulary } from '../table/vocabulary.js';
import { bash } from './bash.js';
import { editor } from './editor.js';

/** The two tools that Anthropic defines and whose callers run them (docs/specification/vocabularies.md#text-editor). */
export const textEditor: Vocabulary = {
  name: 'text-editor',
  rows: [editor, bash],
  etiquette: [
    'Look at files and directories with view, change files with str_replace, create and insert; bash searches, builds, tests and commits.',
    'View the lines around a place before you change it, and copy old_str from there without the numbers.',
  ],
};
