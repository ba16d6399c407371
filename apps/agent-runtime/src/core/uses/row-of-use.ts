import { findRow, type Row, sourceRow } from '@codelab/vocabularies';
import type { RowUse, Turn } from '../turn/turn-state.js';

/** The row that a use is of: one of the vocabulary, or one that stands for a tool from outside. It follows from the state alone. */
export const rowOfUse = ({ vocabulary }: Pick<Turn, 'vocabulary'>, { name, own }: RowUse): Row | undefined =>
  own === undefined ? findRow(vocabulary, name) : sourceRow(name, own);
