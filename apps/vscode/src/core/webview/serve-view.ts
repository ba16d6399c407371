import type { SessionView } from '@codelab/client/view';
import type { SessionPort } from '@codelab/ui/port';
import { ASKED, type AskedMethod, type FromView, type SentFacts, type ToView } from './messages.js';
import { diffView } from './view-patch.js';

/** What a view in the editor shows, and what it may ask for. */
export type ServedPort = Required<Pick<SessionPort, AskedMethod | 'questions' | 'openFile' | 'openDiff' | 'openLink'>> &
  Pick<SessionPort, 'view' | 'subscribe'> & {
    facts(): SentFacts;
    /** Runs a command of this extension that the facts named. */
    runCommand(command: string): void;
  };

/** How often a view is told of changes, in milliseconds: a model writes faster than people read. */
const TELL_MS = 40;

/** Serves one view: tells it what changed, at most twenty-five times a second, and does what it asks. */
export class ViewServer {
  private told: SessionView | undefined;
  private questions: unknown;
  private facts: unknown;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly end: () => void;

  constructor(
    private readonly port: ServedPort,
    private readonly post: (message: ToView) => void,
  ) {
    this.end = port.subscribe(() => this.schedule());
  }

  /** Takes what the view said. Never rejects: what goes wrong is the answer. */
  async take(message: FromView): Promise<void> {
    switch (message.type) {
      case 'ready':
        return this.begin();
      case 'ask':
        return this.answer(message);
      case 'command':
        return this.port.runCommand(message.command);
      case 'open':
        if (message.what === 'file') return this.port.openFile(String(message.path), message.line);
        if (message.what === 'diff') return this.port.openDiff(String(message.callId));
        return this.port.openLink(String(message.url));
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.end();
  }

  private begin(): void {
    const [view, questions, facts] = [this.port.view(), this.port.questions(), this.port.facts()];
    this.told = view;
    this.questions = questions;
    this.facts = facts;
    this.post({ type: 'begin', view, questions, facts });
  }

  private schedule(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.tell();
    }, TELL_MS);
  }

  private tell(): void {
    if (this.told === undefined) return; // it isn't ready
    const [view, questions, facts] = [this.port.view(), this.port.questions(), this.port.facts()];
    const patch = diffView(this.told, view);
    this.told = view;
    if (patch !== undefined) this.post({ type: 'view', patch });
    if (questions !== this.questions) this.post({ type: 'questions', questions });
    if (facts !== this.facts) this.post({ type: 'facts', facts });
    this.questions = questions;
    this.facts = facts;
  }

  private async answer({ id, method, args }: Extract<FromView, { type: 'ask' }>): Promise<void> {
    try {
      if (!ASKED.includes(method)) throw new Error(`The chat can't ask for ${String(method)}.`);
      const ask = this.port[method] as (...args: readonly unknown[]) => Promise<unknown>;
      const value = await ask.call(this.port, ...args);
      this.tell();
      this.post({ type: 'reply', id, value });
    } catch (error) {
      const { message, code } = error as { readonly message?: string; readonly code?: unknown };
      this.post({ type: 'reply', id, error: { message: message ?? String(error), code: typeof code === 'string' ? code : undefined } });
    }
  }
}
