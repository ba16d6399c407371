import type { ReadStream, WriteStream } from 'node:tty';
import type { SessionChoices } from '../../core/session/permission-mode.js';
import type { ApproveMode } from '../../core/approval/answer-headless.js';

/** The options of `codelab exec`. */
export interface ExecOptions extends SessionChoices {
  readonly workspace: string;
  readonly url?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly session?: string;
  readonly approve?: ApproveMode;
  /** `PATH` or `PATH:LINES`. */
  readonly attach?: readonly string[];
  /** Files that look like secrets are attached, too. */
  readonly attachSecrets?: boolean;
  readonly json?: boolean;
  readonly trace?: boolean;
}

/** The streams of the process, and how it is interrupted. */
export interface ExecIo {
  readonly stdin: ReadStream | NodeJS.ReadableStream;
  readonly stdout: WriteStream | NodeJS.WritableStream;
  readonly stderr: WriteStream | NodeJS.WritableStream;
  /** Calls `interrupt` at each Ctrl-C; returns what ends that. */
  readonly onInterrupt: (interrupt: () => void) => () => void;
}

/** Whether a stream is a terminal. */
export const isTty = (stream: object): boolean => (stream as { readonly isTTY?: boolean }).isTTY === true;
