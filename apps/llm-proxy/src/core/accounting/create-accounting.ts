import { BusError, newId, SESSION_ID, type Ledger, type Receipt, type Reservation, type Settlement } from '@codelab/bus';
import { ApiError, type Usage } from '@codelab/llm';
import { matchesName } from '../tool-runs/catalog/match-name.js';
import type { KeyEntry } from '../models/models-file.js';
import type { Accounting, Admission, Asked, Payer } from './accounting.js';
import type { KeyEntries } from './key-entries.js';
import { tellRefusal } from './tell-refusal.js';

/** Redis was away a moment ago, and comes back by itself. */
const AWAY_RETRY_MS = 1_000;

export interface AccountingPorts {
  readonly ledger: Pick<Ledger, 'reserve' | 'settle'>;
  readonly keys: KeyEntries;
  /** Unix milliseconds: for words only. */
  readonly now: () => number;
}

/** Accounting over a ledger, with the limits of the models file. */
export function createAccounting({ ledger, keys, now }: AccountingPorts): Accounting {
  const reserve = async (payer: Payer, asked: Asked, entry: KeyEntry): Promise<Receipt> => {
    const reservation = toReservation(payer, asked, entry);
    try {
      const answer = await ledger.reserve(payer.owner, reservation);
      if (answer.kind === 'reserved') return answer.receipt;
      throw tellRefusal(answer, reservation, now());
    } catch (error) {
      if (!(error instanceof BusError)) throw error;
      const words = 'The limits of your key cannot be checked: Redis is away or slow right now. Try again in a moment.';
      throw new ApiError('unavailable', words, { retryAfterMs: AWAY_RETRY_MS });
    }
  };
  return {
    mayUse: (owner, ...names) => mayUse(keys.of(owner), names),
    admit: async (payer, asked) => {
      const entry = keys.of(payer.owner);
      if (!mayUse(entry, [asked.model, asked.leadsTo ?? asked.model])) throw forbidden(asked.model, entry);
      const receipt = entry !== undefined && isLimited(entry) ? await reserve(payer, asked, entry) : undefined;
      return admission(ledger, payer, receipt);
    },
  };
}

function admission(ledger: Pick<Ledger, 'settle'>, { owner, sessionId }: Payer, receipt: Receipt | undefined): Admission {
  let isSettled = false;
  return {
    settle: (came) => {
      if (isSettled) return;
      isSettled = true;
      const used = came && toUsed(came.model, sessionId, came.usage, came.estimated ?? false);
      ledger.settle(owner, { receipt, used });
    },
  };
}

const isLimited = (entry: KeyEntry): boolean =>
  entry.requests_per_minute !== undefined || entry.tokens_per_minute !== undefined || entry.budget !== undefined;

const mayUse = (entry: KeyEntry | undefined, names: readonly string[]): boolean =>
  entry?.models === undefined || entry.models.some((pattern) => names.some((name) => matchesName(pattern, name)));

function forbidden(model: string, entry: KeyEntry | undefined): ApiError {
  const allowed = entry?.models ?? [];
  const words = allowed.length === 0 ? 'It may use none.' : `It may use ${allowed.join(', ')}.`;
  return new ApiError('forbidden', `Your key may not use the model ${JSON.stringify(model.slice(0, 200))}. ${words}`, { param: 'model' });
}

function toReservation({ requestId }: Payer, asked: Asked, entry: KeyEntry): Reservation {
  const { requests_per_minute: requests, tokens_per_minute: tokens, budget } = entry;
  return {
    requestId: requestId ?? newId('req'),
    limits: { requests, tokens },
    budget,
    ...asked.estimate(),
  };
}

/** A session is what a session may be called: callers write what they like. */
function toUsed(model: string, sessionId: string | undefined, usage: Usage, estimated: boolean): Settlement['used'] {
  const used = {
    model,
    requests: 1,
    estimatedRequests: estimated ? 1 : 0,
    inputTokens: usage.inputTokens,
    cachedInputTokens: usage.cachedInputTokens ?? 0,
    cacheWriteTokens: usage.cacheWriteTokens ?? 0,
    outputTokens: usage.outputTokens,
    reasoningTokens: usage.reasoningTokens ?? 0,
    costUsd: usage.costUsd ?? 0,
  };
  return sessionId !== undefined && SESSION_ID.test(sessionId) ? { ...used, sessionId } : used;
}
