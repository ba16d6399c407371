import type { WriteStream } from 'node:tty';
import type { SessionEvent, SessionView } from '@codelab/client/view';
import { approvalDetails } from '../core/approval/render-approval.js';
import type { ChatEffect, ChatEvent, ChatState } from '../core/chat/chat-state.js';
import { isShellRunning } from '../core/chat/is-shell-running.js';
import { reduceChat } from '../core/chat/reduce-chat.js';
import { renderChat } from '../core/chat/render-chat.js';
import type { Key } from '../core/input/key.js';
import type { Highlighter } from '../core/markdown/highlight-code.js';
import { plainHighlighter } from '../core/markdown/highlight-code.js';
import type { Pager } from '../core/screen/pager.js';
import { renderPager, stepPager } from '../core/screen/pager.js';
import type { Size } from '../core/screen/screen.js';
import { Screen } from '../core/screen/screen.js';
import type { Look } from '../core/session/look.js';
import { renderCallDetails } from '../core/session/call-details.js';
import { SPINNER_INTERVAL_MS } from '../core/session/look.js';
import { Transcript } from '../core/session/transcript.js';
import type { Line } from '../core/text/span.js';
import { paintLine } from '../core/text/paint-line.js';
import type { Theme } from '../core/text/themes.js';
import { editArguments } from './session/edit-text.js';
import { editHunk } from './session/edit-text.js';
import type { Terminal } from './terminal.js';

/** Time between two drawings while much happens: 30 a second look smooth. */
const FRAME_MS = 33;
const ENTER_ALTERNATE = '\x1b[?1049h\x1b[H';
const LEAVE_ALTERNATE = '\x1b[?1049l';

/** What the console can't do by itself. */
export type OuterEffect = Exclude<ChatEffect, { kind: 'wake' | 'show_details' | 'show_calls' | 'edit_args' | 'edit_hunk' }>;

export interface ConsoleOptions {
  readonly output: WriteStream | NodeJS.WritableStream;
  /** The output is a terminal on which rows can be drawn again. */
  readonly live: boolean;
  readonly theme: Theme | undefined;
  /** The keyboard; without one nothing can be asked. */
  readonly terminal?: Terminal | undefined;
  readonly onEffect: (effect: OuterEffect) => void;
  /** What of the session is shown; all of it without. */
  readonly show?: (view: SessionView) => SessionView;
}

/**
 * Shows a session on a terminal, or as plain lines where there is none, and turns keys into effects. Holds the one state; draws it when it
 * has changed, and while the spinner turns.
 */
export class SessionConsole {
  private transcript = new Transcript();
  private readonly screen: Screen;
  private highlight: Highlighter = plainHighlighter;
  private pager: { readonly screen: Screen; pager: Pager } | undefined;
  private frame: NodeJS.Timeout | undefined;
  private spinner: NodeJS.Timeout | undefined;
  /** Draws once more when the keys of what is asked count. */
  private arming: NodeJS.Timeout | undefined;
  private readonly wakes = new Set<NodeJS.Timeout>();
  private lent = false;
  private closed = false;

  constructor(
    public state: ChatState,
    private readonly options: ConsoleOptions,
  ) {
    this.screen = new Screen(options.theme);
  }

  /** Uses the highlighter from now on. */
  setHighlighter(highlight: Highlighter): void {
    this.highlight = highlight;
  }

  dispatch(event: ChatEvent): void {
    if (this.closed) return;
    const { state, effects } = reduceChat(this.state, event);
    this.state = state;
    for (const effect of effects) this.act(effect);
    this.schedule();
  }

  /** Takes something that happened in the session. */
  tell(event: SessionEvent): void {
    this.dispatch({ kind: 'session', event, atMs: event.atMs });
  }

  key(key: Key): void {
    if (!this.pager || key.kind === 'focus') return this.dispatch({ kind: 'key', key, atMs: Date.now() });
    const next = stepPager(this.pager.pager, key, this.size);
    if (next) this.pager.pager = next;
    else this.closePager();
    this.draw();
  }

  /** Shows a text on a screen of its own until the reader goes back. */
  page(pager: Pager): void {
    this.write(ENTER_ALTERNATE);
    this.pager = { screen: new Screen(this.options.theme), pager };
    this.draw();
  }

  /** Writes the conversation as it stands for the last time, and begins an empty one below it. */
  begin(): void {
    const { settled, live } = this.transcript.update(this.shown(), this.look());
    if (this.options.live) this.write(this.screen.update({ settled: [...settled, ...live, []], live: [] }, this.size));
    this.transcript = new Transcript();
    this.dispatch({ kind: 'conversation_begun', atMs: Date.now() });
  }

  /** Draws now, with everything that is settled. */
  draw(): void {
    clearTimeout(this.frame);
    this.frame = undefined;
    if (this.closed || this.lent) return;
    if (this.pager) return this.write(this.pager.screen.update(renderPager(this.pager.pager, this.size), this.size));
    const rows = this.transcript.update(this.shown(), this.look());
    if (this.options.live) this.write(this.screen.update(renderChat(this.state, rows, this.look(), this.size), this.size));
    else this.writePlain(rows.settled);
    this.turnSpinner();
    clearTimeout(this.arming);
    const waitMs = this.state.armedAtMs - Date.now();
    this.arming = waitMs > 0 ? setTimeout(() => this.draw(), waitMs + 1) : undefined;
  }

  /** Takes the live part away, so that something else can be written; the next drawing brings it back. */
  clear(): void {
    if (this.options.live && !this.lent) this.write(this.screen.clear());
  }

  /** Does what is about the screen and the keyboard itself. */
  private act(effect: ChatEffect): void {
    switch (effect.kind) {
      case 'wake':
        return this.wake(effect.afterMs);
      case 'show_details': {
        const { width, highlight } = this.look();
        return this.page({ title: effect.call.toolName, rows: approvalDetails(effect.call, width, highlight), top: 0 });
      }
      case 'show_calls': {
        const rows = renderCallDetails(this.state.view.items, this.look());
        return this.page({ title: 'what the calls did', rows, top: 0 });
      }
      case 'edit_args':
      case 'edit_hunk':
        return void this.edit(effect);
      default:
        this.options.onEffect(effect);
    }
  }

  private async edit(effect: Extract<ChatEffect, { kind: 'edit_args' | 'edit_hunk' }>): Promise<void> {
    const { kind, callId } = effect;
    if (kind === 'edit_args') {
      const edited = await this.lend(() => editArguments(effect.args, effect.toolName));
      this.dispatch({ kind: 'args_edited', callId, ...edited, atMs: Date.now() });
    } else {
      const edited = await this.lend(() => editHunk(effect));
      this.dispatch({ kind: 'hunk_edited', callId, ...edited, atMs: Date.now() });
    }
  }

  /** Leaves the terminal to another program, such as an editor, and draws nothing until that has ended. */
  private async lend<T>(use: () => Promise<T>): Promise<T | undefined> {
    if (!this.options.terminal) return undefined;
    this.clear();
    this.lent = true;
    try {
      return await this.options.terminal.lend(use);
    } finally {
      this.lent = false;
      this.draw();
    }
  }

  /** Writes the conversation as it stands for the last time, and leaves the terminal to others. */
  close(): void {
    if (this.closed) return;
    if (this.pager) this.closePager();
    const { settled, live } = this.transcript.update(this.shown(), this.look());
    if (this.options.live) this.write(this.screen.update({ settled: [...settled, ...live], live: [] }, this.size) + this.screen.clear());
    else this.writePlain([...settled, ...live]);
    this.closed = true;
    for (const timer of [this.frame, this.spinner, this.arming, ...this.wakes]) clearTimeout(timer);
  }

  /** The columns and rows that there are; plain lines are as wide as they like. */
  get size(): Size {
    return this.options.terminal?.size ?? sizeOf(this.options.output);
  }

  private shown(): SessionView {
    const { show } = this.options;
    return show ? show(this.state.view) : this.state.view;
  }

  private closePager(): void {
    this.pager = undefined;
    this.write(LEAVE_ALTERNATE);
  }

  /** What drawing depends on now. */
  look(): Look {
    const { theme, live } = this.options;
    return {
      width: (live ? this.size.columns : PLAIN_COLUMNS) - 1,
      highlight: theme ? this.highlight : plainHighlighter,
      marks: !theme,
      nowMs: Date.now(),
      thoughts: this.state.thoughts,
    };
  }

  private schedule(): void {
    this.frame ??= setTimeout(() => this.draw(), FRAME_MS);
  }

  private wake(afterMs: number): void {
    const timer = setTimeout(() => {
      this.wakes.delete(timer);
      this.dispatch({ kind: 'tick', atMs: Date.now() });
    }, afterMs);
    this.wakes.add(timer);
  }

  private turnSpinner(): void {
    const turns =
      this.options.live && (this.state.view.turn !== undefined || isShellRunning(this.state) || Date.now() < this.state.leavesUntilMs);
    if (turns) this.spinner ??= setInterval(() => this.draw(), SPINNER_INTERVAL_MS);
    else {
      clearInterval(this.spinner);
      this.spinner = undefined;
    }
  }

  private writePlain(lines: readonly Line[]): void {
    for (const line of lines) this.write(`${paintLine(line, this.options.theme)}\n`);
  }

  private write(text: string): void {
    if (text !== '') this.options.output.write(text);
  }
}

/** Plain lines, for files and pipes, are wrapped only where they would be unreadable. */
const PLAIN_COLUMNS = 120;

function sizeOf(output: ConsoleOptions['output']): Size {
  const { columns, rows } = output as Partial<WriteStream>;
  return { columns: Math.max(20, columns ?? 80), rows: Math.max(6, rows ?? 24) };
}
