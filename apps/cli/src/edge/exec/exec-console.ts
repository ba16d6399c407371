import type { ReadStream, WriteStream } from 'node:tty';
import type { Approve } from '@codelab/client';
import type { ServerFrame } from '@codelab/protocol';
import type { Ask } from '@codelab/workspace';
import type { SessionEvent } from '@codelab/client/view';
import type { ApproveMode } from '../../core/approval/answer-headless.js';
import { newChat } from '../../core/chat/chat-state.js';
import { progressView } from '../../core/exec/exec-output.js';
import { renderAnswer } from '../../core/exec/exec-output.js';
import type { Highlighter } from '../../core/markdown/highlight-code.js';
import { loadHighlighter, plainHighlighter } from '../../core/markdown/highlight-code.js';
import { renderItem } from '../../core/session/render-item.js';
import { paintLine } from '../../core/text/paint-line.js';
import type { Theme } from '../../core/text/themes.js';
import { readCliConfig } from '../config.js';
import { userTheme } from '../user-config/read-settings.js';
import type { FormFiller } from '../mcp/answer-elicitation.js';
import { HumanAtTerminal } from '../session/ask-human.js';
import type { HeadlessHuman } from '../session/headless-human.js';
import { headlessHuman } from '../session/headless-human.js';
import { SessionConsole, type OuterEffect } from '../session-console.js';
import { Terminal } from '../terminal.js';
import type { ExecIo } from './exec-io.js';
import { isTty } from './exec-io.js';

interface Settings {
  readonly approve: ApproveMode;
  readonly json?: boolean;
  readonly trace?: boolean;
}

interface Events {
  interrupt(): void;
  end(): void;
}

/** Where `exec` shows things: progress and questions on stderr, the answer or the frames on stdout. */
export class ExecConsole {
  readonly human: Ask & { readonly approve: Approve };
  private readonly console: SessionConsole;
  private readonly terminal: Terminal | undefined;
  private readonly headless: HeadlessHuman | undefined;
  private readonly atTerminal: HumanAtTerminal | undefined;
  private readonly theme: Theme | undefined;
  private highlight: Highlighter = plainHighlighter;

  constructor(
    private readonly settings: Settings,
    private readonly io: ExecIo,
    private readonly events: Events,
  ) {
    const { term } = readCliConfig();
    const drawn = isTty(io.stderr) && term !== 'dumb';
    const asks = settings.approve === 'ask';
    this.theme = term === 'dumb' ? undefined : userTheme();
    this.terminal = asks ? new Terminal(io.stdin as ReadStream, io.stderr as WriteStream) : undefined;
    this.console = new SessionConsole(newChat({ writes: false }), {
      output: io.stderr,
      live: drawn && (asks || settings.trace !== true),
      theme: drawn ? this.theme : undefined,
      terminal: this.terminal,
      onEffect: (effect) => this.act(effect),
      show: progressView,
    });
    this.atTerminal = asks ? new HumanAtTerminal((event) => this.console.dispatch(event)) : undefined;
    this.headless = settings.approve === 'ask' ? undefined : headlessHuman(settings.approve, (text) => this.print(io.stderr, `${text}\n`));
    this.human = this.atTerminal ?? this.headless!;
  }

  /** Whoever sits at the terminal, for what MCP servers ask. */
  get filler(): FormFiller | undefined {
    return this.atTerminal;
  }

  /** Whether a call was refused because nobody was there to decide. */
  get lackedHuman(): boolean {
    return this.headless?.lacked === true;
  }

  start(): void {
    this.terminal?.start({
      onKey: (key) => this.console.key(key),
      onRedraw: () => this.console.draw(),
      onEnd: () => this.events.end(),
      onSuspend: () => this.console.clear(),
    });
    void loadHighlighter().then((highlight) => {
      this.highlight = highlight;
      this.console.setHighlighter(highlight);
    });
  }

  close(): void {
    this.console.close();
    this.terminal?.stop();
  }

  take(frame: ServerFrame, text: string): void {
    if (this.settings.json) this.print(this.io.stdout, `${text.replace(/[\r\n]/g, ' ')}\n`);
    this.tell({ kind: 'frame', frame, atMs: Date.now() });
  }

  /** Says something on stderr, whatever else is shown. */
  trace(line: string): void {
    this.print(this.io.stderr, `${line}\n`);
  }

  /** Shows what happens. Of a command that prints frames nothing else is shown, unless a human is asked. */
  tell(event: SessionEvent): void {
    if (!this.settings.json || this.terminal) this.console.tell(event);
  }

  /** Prints the answer; for a person also what it took. */
  printAnswer(): void {
    if (this.settings.json) return;
    const { stdout, stderr } = this.io;
    const { view } = this.console.state;
    const columns = (stdout as Partial<WriteStream>).columns ?? 80;
    const look = { width: columns - 1, highlight: this.highlight, marks: this.theme === undefined, nowMs: Date.now() };
    const answer = renderAnswer(view, isTty(stdout) ? look : undefined, this.theme);
    const watched = isTty(stdout) && isTty(stderr);
    if (watched && progressView(view).items.length > 0 && answer !== '') stderr.write('\n');
    stdout.write(answer);
    const end = view.items.findLast((item) => item.kind === 'turn_end');
    if (watched && end?.status === 'completed')
      for (const line of renderItem(end, look)) stderr.write(`\n${paintLine(line, this.theme)}\n`);
  }

  /** Where stdout and stderr are one terminal, what is drawn makes room. */
  private print(stream: NodeJS.WritableStream, text: string): void {
    this.console.clear();
    stream.write(text);
  }

  private act(effect: OuterEffect): void {
    switch (effect.kind) {
      case 'cancel':
      case 'leave':
        return this.events.interrupt();
      case 'decide':
      case 'answer_question':
      case 'answer_form':
      case 'answer_review':
        return this.atTerminal?.take(effect);
      default:
        return; // nothing can be written here
    }
  }
}
