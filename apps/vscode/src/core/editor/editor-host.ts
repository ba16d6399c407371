/** A text document that is open in the editor. */
export interface EditorDocument {
  /** Absolute, without links. */
  readonly path: string;
  readonly isDirty: boolean;
  /** As the editor names it, such as `utf8`. */
  readonly encoding: string;
  readonly eol: '\n' | '\r\n';
  /** Changes with each edit. */
  readonly version: number;
  text(): string;
}

/** One place of a text that gets another text: offsets in UTF-16 units. */
export interface TextChange {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A problem that the editor shows in a file. */
export interface Problem {
  /** Absolute, without links. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  /** Who says it: `ts`, `eslint`. */
  readonly source?: string;
}

/** What is used of the editor's documents. */
export interface EditorHost {
  documents(): readonly EditorDocument[];
  /** Changes a document as one step of its undo stack. False: it has changed since, or can't be changed, and nothing was done. */
  change(document: EditorDocument, changes: readonly TextChange[], eol?: '\n' | '\r\n'): Promise<boolean>;
  /** Saves it, with whatever the user has set up to happen then. */
  save(document: EditorDocument): Promise<boolean>;
  /** Problems of all files. */
  problems(): readonly Problem[];
  /** Hears whenever problems change; returns what ends it. */
  onProblems(listener: () => void): () => void;
  /** Makes the editor look at files that it doesn't show, so that it finds their problems. */
  lookAt(paths: readonly string[]): Promise<void>;
}
