import type { Fingerprint } from './identity.js';

/** What one file held at one moment, and how to tell that it still does. */
export interface FileState {
  readonly content: Buffer;
  /** Lower-case hex SHA-256 of the content. */
  readonly sha256: string;
  /** Permission bits, such as 0o644. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly fingerprint: Fingerprint;
}
