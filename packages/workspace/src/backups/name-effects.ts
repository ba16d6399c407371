/** An entry of a directory, by what it is: it is the same one after it was moved. Numbers of the file system as text. */
export interface EntryMark {
  readonly kind: 'file' | 'directory' | 'link';
  readonly dev: string;
  readonly ino: string;
}

/** An entry that got another path. Undone by moving it back, if it is still at `to` and nothing is at `from`. */
export interface MovedEntry extends EntryMark {
  readonly from: string;
  readonly to: string;
}

/** An entry that went to the trash. Undone by moving it from there to its path, if nothing is at it. */
export interface TrashedEntry extends EntryMark {
  readonly path: string;
  /** Its name in the trash: see `Trash.placeOf`. */
  readonly trash: string;
  /** Files and links in it, and their bytes. */
  readonly files: number;
  readonly bytes: number;
}

/** An entry that came back to its path. */
export interface RestoredEntry extends EntryMark {
  readonly path: string;
  /** Of a file: what it held. */
  readonly sha256?: string;
  readonly files: number;
  readonly bytes: number;
}

/** What a call does to names, beside the contents of files. What is absent, the call doesn't do. Paths are without links. */
export interface NameEffects {
  readonly moves?: readonly MovedEntry[];
  readonly trashed?: readonly TrashedEntry[];
  /** Directories that the call makes, outermost first. Undone by removing those that are empty, innermost first. */
  readonly created_directories?: readonly string[];
  /** Entries that an undoing brought back from the trash. Undone by moving them there again. */
  readonly restored?: readonly RestoredEntry[];
  /** Directories that an undoing removed, innermost first. Undone by making them. */
  readonly removed_directories?: readonly string[];
}
