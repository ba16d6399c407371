import { EMPTY_VIEW, type SessionView } from '@codelab/client/view';
import type { PortFacts, Question, SessionPort } from '@codelab/ui/port';
import { ASKED, type AskedMethod, type FromView, type SentFacts, type ToView } from '../core/webview/messages.js';
import { patchView } from '../core/webview/view-patch.js';

/** What the editor gives a view to speak to its host. */
export interface HostApi {
  postMessage(message: FromView): void;
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The port of a session that an extension host holds: the view is kept up to date by patches, and what is asked is answered by number. */
export class VscodePort {
  private shown: SessionView = EMPTY_VIEW;
  private asked: readonly Question[] = [];
  private known: PortFacts = {};
  private readonly listeners = new Set<() => void>();
  private readonly waiting = new Map<number, Waiting>();
  private count = 0;

  constructor(private readonly host: HostApi) {}

  /** The port that components take. */
  port(): SessionPort {
    const asks = Object.fromEntries(ASKED.map((method) => [method, (...args: unknown[]) => this.ask(method, args)]));
    return {
      ...(asks as unknown as Pick<SessionPort, AskedMethod>), // the host has the same methods: see ServedPort
      view: () => this.shown,
      questions: () => this.asked,
      facts: () => this.known,
      subscribe: (listener) => {
        this.listeners.add(listener);
        return () => void this.listeners.delete(listener);
      },
      openFile: (path, line) => this.host.postMessage({ type: 'open', what: 'file', path, line }),
      openDiff: (callId) => this.host.postMessage({ type: 'open', what: 'diff', callId }),
      openLink: (url) => this.host.postMessage({ type: 'open', what: 'link', url }),
    };
  }

  /** Takes what the host said. */
  take(message: ToView): void {
    switch (message.type) {
      case 'begin':
        this.shown = message.view;
        this.asked = message.questions;
        this.known = this.toFacts(message.facts);
        return this.tell();
      case 'view':
        this.shown = patchView(this.shown, message.patch);
        return this.tell();
      case 'questions':
        this.asked = message.questions;
        return this.tell();
      case 'facts':
        this.known = this.toFacts(message.facts);
        return this.tell();
      case 'reply':
        return this.settle(message);
    }
  }

  private ask(method: AskedMethod, args: readonly unknown[]): Promise<unknown> {
    this.count += 1;
    const id = this.count;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.host.postMessage({ type: 'ask', id, method, args });
    });
  }

  private settle(reply: Extract<ToView, { type: 'reply' }>): void {
    const waiting = this.waiting.get(reply.id);
    this.waiting.delete(reply.id);
    if (!('error' in reply)) return waiting?.resolve(reply.value);
    waiting?.reject(Object.assign(new Error(reply.error.message), { code: reply.error.code }));
  }

  private toFacts({ trouble, ...facts }: SentFacts): PortFacts {
    const action = trouble?.action;
    const run = (): void => action && this.host.postMessage({ type: 'command', command: action.command });
    return { ...facts, trouble: trouble && { message: trouble.message, action: action && { label: action.label, run } } };
  }

  private tell(): void {
    for (const listener of [...this.listeners]) listener();
  }
}
