import type { MarkdownLook } from '../markdown/render-markdown.js';

/** What the rendering of a session depends on, beside the session. */
export interface Look extends MarkdownLook {
  /** This machine's clock. */
  readonly nowMs: number;
  /** Whether all of what a model thinks is shown; else that it does, and how long it did. */
  readonly thoughts?: 'shown' | 'folded' | undefined;
}

const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const;

/** Milliseconds between two pictures of the spinner: calm, and still alive. */
export const SPINNER_INTERVAL_MS = 120;

/** The spinner's picture at this time. */
export const spinnerAt = (nowMs: number): string => SPINNER[Math.floor(nowMs / SPINNER_INTERVAL_MS) % SPINNER.length]!;
