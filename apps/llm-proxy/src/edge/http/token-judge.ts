import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Authenticate, Authenticated, Identity } from '@codelab/auth';
import { ApiError } from '@codelab/llm';

/** Tokens whose judgement is remembered: more than the keys of a large team. */
const MAX_REMEMBERED = 1_000;

/** A JWT whose issuer's keys changed is not taken for longer than this. */
const REMEMBERED_MS = 60_000;

const BEARER = /^bearer +/i;

const ADVICE = 'send it as `Authorization: Bearer <token>` or as `x-api-key`; `codelab token` prints the local one';

interface Remembered {
  readonly identity: Identity;
  readonly untilMs: number;
}

/**
 * Judges the token of a request, from `Authorization: Bearer` or `x-api-key`: who has both is let in by either. A token that was good is
 * remembered by its hash for a minute, so that only its first request costs a comparison with every key.
 */
export class TokenJudge {
  private readonly remembered = new Map<string, Remembered>();

  constructor(
    private readonly authenticate: Authenticate,
    private readonly now: () => number = Date.now,
  ) {}

  /** An identity at once where it is remembered. Rejects with `ApiError`: `unauthorized`, `unavailable`. */
  judge(headers: IncomingHttpHeaders): Identity | Promise<Identity> {
    const tokens = tokensOf(headers);
    for (const token of tokens) {
      const known = this.remembered.get(hashOf(token));
      if (known && known.untilMs > this.now()) return known.identity;
    }
    return this.ask(tokens);
  }

  private async ask(tokens: readonly string[]): Promise<Identity> {
    let refusal: Authenticated | undefined;
    for (const token of tokens) {
      const judged = await this.authenticate(token);
      if (judged.ok) return this.remember(token, judged.identity);
      refusal = judged;
    }
    if (!refusal || refusal.ok) throw new ApiError('unauthorized', `a token is missing: ${ADVICE}`);
    if (refusal.code === 'UNAVAILABLE') throw new ApiError('unavailable', refusal.message);
    throw new ApiError('unauthorized', `${refusal.message}: ${ADVICE}`);
  }

  private remember(token: string, identity: Identity): Identity {
    const untilMs = Math.min(this.now() + REMEMBERED_MS, identity.expiresAtMs ?? Infinity);
    const oldest = this.remembered.size >= MAX_REMEMBERED ? this.remembered.keys().next().value : undefined;
    if (oldest !== undefined) this.remembered.delete(oldest);
    this.remembered.set(hashOf(token), { identity, untilMs });
    return identity;
  }
}

function tokensOf({ authorization, 'x-api-key': key }: IncomingHttpHeaders): string[] {
  const bearer = authorization !== undefined && BEARER.test(authorization) ? authorization.replace(BEARER, '').trim() : '';
  return [bearer, typeof key === 'string' ? key.trim() : ''].filter((token) => token !== '');
}

const hashOf = (token: string): string => hash('sha256', token, 'base64');
