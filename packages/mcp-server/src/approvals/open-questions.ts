import type { Clock } from '@codelab/clock';
import { randomBytes } from 'node:crypto';
import type { ApprovalQuestion, UserQuestion } from './decision.js';

/** A question that is on its way through the other program, between two rounds of one call. */
export type OpenQuestion =
  | { readonly kind: 'approval'; readonly question: ApprovalQuestion }
  | { readonly kind: 'user'; readonly question: UserQuestion; readonly argsSha256: string };

interface Entry {
  readonly open: OpenQuestion;
  readonly owner: string;
  readonly endsAtMs: number;
}

/** Questions that may be open at once; the oldest one is given up for a further one. */
const MAX_OPEN = 256;

/**
 * Since 2026-07-28 a question is a result that the client answers by calling again. What was asked stays here, and the client gets a name that
 * nobody can guess: what it says of the question itself counts for nothing, and a name is good for one answer.
 */
export class OpenQuestions {
  private readonly entries = new Map<string, Entry>();

  constructor(
    private readonly clock: Clock,
    private readonly lifeMs: number,
  ) {}

  /** @param owner the connection, or the person, that may answer */
  add(open: OpenQuestion, owner: string): string {
    for (const [name] of this.entries) {
      if (this.entries.size < MAX_OPEN) break;
      this.entries.delete(name);
    }
    const name = randomBytes(24).toString('base64url');
    this.entries.set(name, { open, owner, endsAtMs: this.clock.now() + this.lifeMs });
    return name;
  }

  /** Takes a question out to be answered: the second who tries finds none. `undefined` too where it is too old. */
  take(name: string, owner: string): OpenQuestion | undefined {
    const entry = this.entries.get(name);
    if (entry === undefined || entry.owner !== owner) return undefined;
    this.entries.delete(name);
    return this.clock.now() > entry.endsAtMs ? undefined : entry.open;
  }
}
