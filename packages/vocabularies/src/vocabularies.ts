import type { VocabularyName } from '@codelab/tools';
import { agent } from './agent/agent.js';
import { claudeCode } from './claude-code/claude-code.js';
import { continueVocabulary } from './continue/vocabulary.js';
import type { Row } from './table/row.js';
import type { Vocabulary } from './table/vocabulary.js';
import { textEditor } from './text-editor/text-editor.js';

/** The tables. `codelab` has none: there the model makes the canonical calls itself. */
const TABLES: readonly Vocabulary[] = [agent, claudeCode, continueVocabulary, textEditor];

const BY_NAME: ReadonlyMap<string, Vocabulary> = new Map(TABLES.map((table) => [table.name, table]));

const namesOf = ({ name, aliases = {} }: Row): readonly string[] => [...Object.keys(aliases), name];
const ROWS: ReadonlyMap<string, ReadonlyMap<string, Row>> = new Map(
  TABLES.map(({ name, rows }) => [name, new Map(rows.flatMap((row) => namesOf(row).map((known) => [known, row])))]),
);

/** The table of a vocabulary; nothing for `codelab`. */
export const findVocabulary = (name: VocabularyName): Vocabulary | undefined => BY_NAME.get(name);

/** The row that a name of a model means in a vocabulary, by its own name or an alias. */
export const findRow = (vocabulary: VocabularyName, name: string): Row | undefined => ROWS.get(vocabulary)?.get(name);
