/** A part of a text that stands in lines of its own: a definition, a statement, an entry, or a placeholder for some of them. Lines from 0. */
export interface Unit {
  readonly kind: 'definition' | 'statement' | 'placeholder';
  /** By what it is found again: its kind and name, else its first line. */
  readonly key: string;
  /** Its name, if it has one. */
  readonly name?: string | undefined;
  readonly isImport?: boolean;
  /** It is nothing but comments. */
  readonly isComment?: boolean;
  /** It ends the block that it stands in: `return`, `throw`. */
  readonly isEnd?: boolean;
  /** Syntax errors in it. */
  readonly errors?: number;
  /** A bracket of it is never closed. */
  readonly isOpen?: boolean;
  /** The first line, comments directly above included. */
  readonly first: number;
  /** The first line behind these comments. */
  readonly start: number;
  /** The first line behind what decorates it: decorators, annotations, attributes, parameters of a template. Absent: `start`. */
  readonly head?: number | undefined;
  readonly last: number;
  /** Where units stand inside of it, from top to bottom. */
  readonly bodies: readonly Body[];
}

/** Lines that hold units. */
export interface Body {
  /** The grammar's word for it. */
  readonly type: string;
  readonly first: number;
  /** One before `first` if it is empty. */
  readonly last: number;
  readonly units: readonly Unit[];
}

/** A text as its units. */
export interface Source {
  readonly lines: readonly string[];
  readonly root: Body;
  /** Syntax errors that the grammar found. */
  readonly errors: number;
  /** Lines on which a text of several lines goes on, whose blanks count. */
  readonly quoted: ReadonlySet<number>;
  readonly placeholders: ReadonlySet<number>;
}

/** The change can't be placed for certain. */
export class Unclear extends Error {
  constructor(
    /** The line of the changes that is meant; absent: all of them. */
    readonly line: string | undefined,
    readonly why: string,
  ) {
    super(why);
  }
}
