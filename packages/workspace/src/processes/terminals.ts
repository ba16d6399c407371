/** Terminals that the user sees, in an editor: commands that were decided on run in them where there are some. */
export interface Terminals {
  /** Starts a program in a terminal of its own. Throws where nothing was started: then it is run without one. */
  open(command: TerminalCommand): Promise<OpenTerminal>;
}

/** What runs in a terminal. */
export interface TerminalCommand {
  readonly callId: string;
  readonly program: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  /** What the terminal's own environment is changed by: that of the editor, which started us. '' stands for what must not be there. */
  readonly environment: Readonly<Record<string, string>>;
  /** Of a longer output the end is kept. */
  readonly maxBytes: number;
}

/** A terminal in which something runs, or has run. */
export interface OpenTerminal {
  /** What it has shown so far, with whatever steers a terminal; `truncated`: its beginning is left out. */
  output(): Promise<{ readonly text: string; readonly truncated: boolean }>;
  /** Resolves when the program has ended; rejects where nobody will know. */
  readonly ended: Promise<{ readonly exitCode: number | null; readonly signal: string | null }>;
  /** Ends the program. */
  kill(): Promise<void>;
  /** Lets go of it; what it showed may stay to be seen. */
  release(): Promise<void>;
}
