import type { ResultOf } from '@codelab/tools';
import type { Hit } from './line-matcher.js';
import type { SearchedFile } from './searched-file.js';

/** Which of the things that are found an answer shows. */
export interface Page {
  readonly offset: number;
  readonly limit: number;
}

/** Collects what a search answers, file by file. */
export interface Findings {
  /** Nothing more is wanted. */
  readonly isDone: boolean;
  /** How many more hits are wanted. */
  readonly room: number;
  add(file: SearchedFile, hits: readonly Hit[]): void;
  readonly answer: ResultOf<'search_in_project'>;
}
