import type { Choice } from '@codelab/ui/port';
import { askRest } from '@codelab/client/observer';
import { TOOLS } from '@codelab/tools';
import type { SentFacts } from '../core/webview/messages.js';
import type { NoSession } from '../core/text/status-text.js';
import { MODE_CHOICES } from './window-port.js';
import type { CodeLabWindow } from './window.js';

const SCHEMAS = Object.fromEntries(TOOLS.map(({ name, parameters }) => [name, parameters]));

/** What the chat knows beside the session: read when a session is joined, the same value until it changes. */
export class WindowFacts {
  private shown: SentFacts = { modes: MODE_CHOICES, toolSchemas: SCHEMAS };
  /** What was asked about last: a session is named by its first turn. */
  private read: { readonly sessionId?: string; readonly turnId?: string } = {};

  constructor(
    private readonly window: CodeLabWindow,
    private readonly changed: () => void,
  ) {
    window.subscribe(() => this.follow());
  }

  readonly facts = (): SentFacts => this.shown;

  private follow(): void {
    const { current, noSession } = this.window;
    const trouble = current === undefined ? troubleOf(noSession) : undefined;
    if (JSON.stringify(trouble) !== JSON.stringify(this.shown.trouble)) this.put({ trouble });
    const sessionId = current?.conversation.sessionId;
    const { turn } = this.window.view();
    if (current === undefined || sessionId === undefined || sessionId === 'new') return;
    const isOther = sessionId !== this.read.sessionId;
    if (!isOther && turn?.turnId === this.read.turnId) return;
    this.read = { sessionId, turnId: turn?.turnId };
    const { http: origin, token } = current.place;
    const ask = (path: string): Promise<unknown> => askRest({ origin, headers: { authorization: `Bearer ${token}` } }, 'GET', path);
    const path = `/api/v1/sessions/${encodeURIComponent(sessionId)}`;
    void ask(path).then(
      (answer) => this.put({ title: textOf((answer as { readonly title?: unknown }).title) }),
      () => undefined, // a token may not be allowed to ask
    );
    if (!isOther) return;
    void ask(`${path}/agents`).then(
      (answer) => this.put({ agents: toAgents((answer as { readonly agents?: readonly unknown[] }).agents) }),
      () => undefined, // a token may not be allowed to ask
    );
  }

  private put(facts: Partial<SentFacts>): void {
    this.shown = { ...this.shown, ...facts };
    this.changed();
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

function toAgents(agents: readonly unknown[] = []): readonly Choice[] {
  return agents.flatMap((agent) => {
    const { name, description } = (agent ?? {}) as { readonly name?: unknown; readonly description?: unknown };
    return typeof name === 'string' ? [{ value: name, detail: typeof description === 'string' ? description : undefined }] : [];
  });
}

function troubleOf({ why, message }: NoSession): SentFacts['trouble'] {
  if (why === 'missing') return { message: message ?? '', action: { label: 'Connect to a gateway', command: 'codelab.connect' } };
  if (why !== 'failed') return undefined;
  const isToken = message?.includes('token') === true;
  return {
    message: message ?? 'There is no session.',
    action: isToken ? { label: 'Set the token', command: 'codelab.setToken' } : { label: 'Try again', command: 'codelab.retry' },
  };
}
