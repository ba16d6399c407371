import type { FileState } from '../paths/file-state.js';
import type { WorkspacePath } from '../paths/parse-path.js';
import type { NewContent } from './write-atomically.js';

/** What a tool will do to one file. */
export interface FileChange {
  readonly path: WorkspacePath;
  /** What is there now; absent for a file that is created. */
  readonly before?: FileState;
  /** What will be there; absent for a file that is deleted. */
  readonly after?: NewContent;
}

/** What a call will do; it is shown to an approver, and carried out as it was shown. */
export interface FilePlan {
  readonly changes: readonly FileChange[];
  /** Files that are not changed, and whose content goes into one that is. */
  readonly sources?: readonly Pick<FileChange, 'path' | 'before'>[];
}
