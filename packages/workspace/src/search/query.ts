import { ToolFailure } from '../tool-failure.js';

/** What is searched for, in each line by itself. */
export interface Query {
  readonly text: string;
  readonly regex: boolean;
  readonly caseSensitive: boolean;
}

/** @throws ToolFailure `INVALID_ARGUMENTS` for what no line can have */
export function assertSearchable({ text }: Query): void {
  if (/[\n\0]/.test(text)) throw invalidQuery('it has a line break or a NUL, and lines are searched one by one');
  if (/\p{Surrogate}/u.test(text)) throw invalidQuery('it is not valid Unicode');
}

export const invalidQuery = (why: string): ToolFailure =>
  new ToolFailure('INVALID_ARGUMENTS', `The query cannot be searched for: ${why.replace(/\s+/g, ' ').slice(0, 500)}.`);
