import { EMPTY_VIEW, reduceSession, type ApprovalAnswer, type SessionEvent, type SessionView } from '@codelab/client/view';
import type { ServerFrame } from '@codelab/protocol';
import type { OutgoingMessage, PortFacts, Question, QuestionAnswer, SessionChoice, SessionPort } from '@codelab/ui';

/** A session that was played, and what its host knows. */
export interface Fixture {
  readonly events: readonly SessionEvent[];
  readonly facts?: PortFacts;
  readonly questions?: readonly Question[];
  /** A page of older items, as REST has it; undefined at the beginning. */
  readonly older?: (cursor: string) => { readonly history: readonly unknown[]; readonly cursor?: string };
  /** What sending a message is refused with. */
  readonly refuses?: string;
}

/** Holds a session that nobody serves: what is asked for is recorded, and shows as a server would show it. */
export class GalleryPort implements SessionPort {
  /** What components asked for, oldest first. */
  readonly asked: unknown[] = [];
  /** How often a listener was told. */
  private readonly listeners = new Set<() => void>();
  private current: SessionView;
  private messages = 0;
  private known: PortFacts;
  private open: readonly Question[];

  constructor(private readonly fixture: Fixture) {
    this.current = fixture.events.reduce(reduceSession, EMPTY_VIEW);
    this.known = fixture.facts ?? {};
    this.open = fixture.questions ?? [];
  }

  view(): SessionView {
    return this.current;
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  facts(): PortFacts {
    return this.known;
  }

  questions(): readonly Question[] {
    return this.open;
  }

  /** Something happens in the session. */
  hear(...events: readonly SessionEvent[]): void {
    this.current = events.reduce(reduceSession, this.current);
    this.tell();
  }

  /** Frames come, now. */
  hearFrames(...frames: readonly ServerFrame[]): void {
    this.hear(...frames.map((frame) => ({ kind: 'frame', frame, atMs: Date.now() }) as const));
  }

  /** The host knows something else. */
  learn(facts: PortFacts): void {
    this.known = { ...this.known, ...facts };
    this.tell();
  }

  async send({ content, whenBusy, attachments }: OutgoingMessage): Promise<void> {
    this.asked.push({ send: content, whenBusy, attachments });
    if (this.fixture.refuses !== undefined) throw new Error(this.fixture.refuses);
    this.messages += 1;
    this.hear({ kind: 'message_sent', messageId: `sent-${this.messages}`, content, attachments, whenBusy, atMs: Date.now() });
  }

  async cancel(options?: { readonly queue?: boolean }): Promise<void> {
    this.asked.push({ cancel: options ?? {} });
    this.hear({ kind: 'cancel_sent', atMs: Date.now() });
  }

  async removeQueued(messageId: string): Promise<void> {
    this.asked.push({ removeQueued: messageId });
    const { queue, steering } = this.current;
    const others = (list: typeof queue) =>
      list.filter((one) => one.messageId !== messageId).map(({ messageId: message_id, content }) => ({ message_id, content }));
    this.hearFrames({ type: 'queue_updated', queue: others(queue), steering: others(steering) });
  }

  async decide(callId: string, answer: ApprovalAnswer): Promise<void> {
    this.asked.push({ decide: callId, answer });
    const outcome = ({ approve: 'approved', edit: 'edited', reject: 'rejected' } as const)[answer.decision];
    this.hearFrames({
      type: 'approval_resolved',
      call_id: callId,
      outcome,
      by: 'you',
      at_ms: Date.now(),
      args_sha256: '',
      feedback: answer.feedback,
    });
  }

  async choose(what: SessionChoice): Promise<void> {
    this.asked.push({ choose: what });
    this.hear({ kind: 'chose', ...what, atMs: Date.now() });
  }

  async loadOlder(): Promise<void> {
    this.asked.push({ loadOlder: this.current.historyCursor });
    const cursor = this.current.historyCursor;
    if (cursor === undefined || this.fixture.older === undefined) return;
    const page = this.fixture.older(cursor);
    await new Promise(requestAnimationFrame);
    this.hear({ kind: 'history_read', ...page, atMs: Date.now() });
  }

  async answer(id: string, answer: QuestionAnswer): Promise<void> {
    this.asked.push({ answer: id, with: answer });
    this.open = this.open.filter((question) => question.id !== id);
    this.tell();
  }

  async completePath(path: string): Promise<readonly string[]> {
    const all = ['src/', 'src/index.ts', 'src/parse.ts', 'src/parse.test.ts', 'README.md', 'docs/my notes.md', 'package.json'];
    return all.filter((one) => one.startsWith(path));
  }

  openFile(path: string, line?: number): void {
    this.asked.push({ openFile: path, line });
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}
