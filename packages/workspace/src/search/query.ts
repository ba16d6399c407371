import { ToolFailure } from '../tool-failure.js';
import { findRegexFault } from './regex-fault.js';

/** What is searched for, in each line by itself. */
export interface Query {
  readonly text: string;
  readonly regex: boolean;
  readonly caseSensitive: boolean;
  /** In whole files: a match may go over line ends. */
  readonly multiline?: boolean | undefined;
}

/** @throws ToolFailure `INVALID_ARGUMENTS` for what no line can have, and what is no regular expression here, with the place of the fault */
export function assertSearchable({ text, regex, multiline = false }: Query): void {
  if (text.includes('\0')) throw invalidQuery('it has a NUL');
  if (text.includes('\n') && !multiline) throw invalidQuery('it has a line break, and lines are searched one by one without "multiline"');
  if (/\p{Surrogate}/u.test(text)) throw invalidQuery('it is not valid Unicode');
  const fault = regex ? findRegexFault(text, multiline) : undefined;
  if (fault !== undefined) throw invalidQuery(`${fault.what}, at character ${String(fault.at)}`);
}

export const invalidQuery = (why: string): ToolFailure =>
  new ToolFailure('INVALID_ARGUMENTS', `The query cannot be searched for: ${why.replace(/\s+/g, ' ').slice(0, 500)}.`);
