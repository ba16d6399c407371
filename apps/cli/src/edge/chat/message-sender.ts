import { randomUUID } from 'node:crypto';
import { RefusedError, type CodeLabClient, type MessageOptions } from '@codelab/client';
import type { Attachment } from '@codelab/protocol';
import { MAX_ATTACHMENTS } from '@codelab/workspace';
import type { SessionEvent } from '@codelab/client/view';
import { later } from './later.js';
import type { MessageFiles } from '../session/message-files.js';

interface Ports {
  readonly tell: (event: SessionEvent) => void;
  /** Gives a message back to where it was written. */
  readonly takeBack: (content: string, why: string) => void;
  /** What else goes with the next message: so many attachments at most. */
  readonly aside: (room: number) => Promise<readonly Attachment[]>;
  readonly remember: (content: string) => Promise<void>;
}

/** A message whose words are a server's: nothing that it mentions goes along. */
export interface ForeignMessage {
  /** What the human entered. */
  readonly typed: string;
  /** The part of it that may mention files, as a message of theirs does. */
  readonly args: string;
  readonly attachments: readonly Attachment[];
}

type SendOptions = Pick<MessageOptions, 'model' | 'command' | 'whenBusy'>;

/** Sends what the user writes: at once, or when there is a connection, in the order in which it was written. */
export class MessageSender {
  private readonly waiting = new Map<string, string>();
  private readonly files = later<MessageFiles>();
  private client = later<CodeLabClient>();
  private readonly answers = new Set<Promise<void>>();
  /** Messages go one after the other to the client, which keeps their order from there on. */
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly ports: Ports) {}

  /** From now on files can be read. */
  readFrom(files: MessageFiles): void {
    this.files.resolve(files);
  }

  /** From now on messages can go. */
  begin(client: CodeLabClient): void {
    this.client.resolve(client);
  }

  /** Waits until all that was written has its answer; what is written from then on waits for the next client. */
  async pause(): Promise<void> {
    await this.answered();
    this.client = later();
  }

  /** What no gateway has confirmed, oldest first. */
  get unsent(): readonly string[] {
    return [...this.waiting.values()];
  }

  /** Sends a message with the files that the human mentions in it. If one of them can't be read nothing is sent, and what they wrote comes back. */
  send(content: string, options: SendOptions = {}, foreign?: ForeignMessage): void {
    const messageId = randomUUID();
    this.waiting.set(messageId, content);
    this.last = this.last.then(() => this.pass(messageId, content, options, foreign));
  }

  /** Resolves when everything written so far has its answer: who takes a message back, or stops a turn, must not overtake it. */
  async answered(): Promise<void> {
    await this.last;
    await Promise.all(this.answers);
  }

  /** Hands the message to the client; its answer is not waited for. */
  private async pass(messageId: string, content: string, options: SendOptions, foreign?: ForeignMessage): Promise<void> {
    const files = await this.files.promise;
    const found = await files.ofMessage(foreign?.args ?? content).catch((error: Error) => error);
    const read = found instanceof Error ? found : [...found, ...(foreign?.attachments ?? [])];
    if (read instanceof Error) {
      this.waiting.delete(messageId);
      return this.ports.takeBack(foreign?.typed ?? content, read.message);
    }
    const attachments = options.command === undefined ? [...read, ...(await this.ports.aside(MAX_ATTACHMENTS - read.length))] : read;
    this.ports.tell({ kind: 'message_sent', messageId, content, attachments, whenBusy: options.whenBusy, atMs: Date.now() });
    void this.ports.remember(content).catch(() => undefined); // the message counts, its memory doesn't
    const client = await this.client.promise;
    const answer = client
      .sendMessage(content, { messageId, attachments, ...options })
      .then(() => void this.waiting.delete(messageId))
      .catch((error: unknown) => this.explain(messageId, error))
      .finally(() => this.answers.delete(answer));
    this.answers.add(answer);
  }

  /** A refusal came as a frame, which shows it, unless nothing was sent. A connection that is over for good leaves the message among those unsent. */
  private explain(messageId: string, error: unknown): void {
    const isRefused = error instanceof RefusedError;
    if (isRefused) this.waiting.delete(messageId);
    if (isRefused && !error.unsent) return;
    const text = error instanceof Error ? error.message : String(error);
    this.ports.tell({ kind: 'notice', tone: 'warning', text: isRefused ? `Your message was not sent: ${text}` : text, atMs: Date.now() });
  }
}
