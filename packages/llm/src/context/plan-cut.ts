import type { HistoryItem } from '../history/history-item.js';
import { findShown, isLong, shownItems } from '../history/shown-items.js';
import { itemTokens } from './item-tokens.js';

/** What a request takes of a window, in tokens as the provider counts them. */
export interface WindowUse {
  /** Of the request as it would be sent. */
  readonly used: number;
  /** Above this much it isn't sent. */
  readonly most: number;
  /** A cut goes down to this much, so that the next one is far: providers keep what stands before it. */
  readonly goal: number;
  /** Tokens of the provider to one of ours. */
  readonly scale: number;
  /** Nothing else is left to do: whatever fits is enough. */
  readonly isLast?: true;
}

/** A `CutItem` to come. */
export interface CutPlan {
  readonly upTo: number;
  readonly limit?: number;
}

/** The results of the last answers stay as they are: the model works with them. */
const KEPT_ANSWERS = 4;

/** What a reference takes. */
const REFERENCE_TOKENS = 40;

/** A single text may take this part of what may be used; where that is not enough, this one. */
const SHARES = [0.25, 0.1] as const;
const LAST_SHARES = [...SHARES, 0.03, 0.01] as const;
const CHARACTERS_PER_TOKEN = 3;
const MIN_LIMIT_CHARACTERS = 1_000;

/** A cut must make this part of the way from `most` to `goal`: less, and the next one would be near. */
const WORTH = 0.5;

/**
 * Which results and texts of a history are shown shorter so that a request fits, oldest first; `undefined` where that isn't enough, or would
 * have to be done again soon. The same history and use give the same plan.
 */
export function planCut(history: readonly HistoryItem[], use: WindowUse): CutPlan | undefined {
  const enough = use.isLast ? use.most : use.goal + (use.most - use.goal) * WORTH;
  const shown = shownTokens(history);
  const isEnough = ({ upTo, limit }: CutPlan): boolean => {
    const after = shownTokens([...history, { role: 'cut', up_to: upTo, limit, at_ms: 0 }]);
    return after < shown && use.used - (shown - after) * use.scale <= enough;
  };
  const upTo = keptFrom(history, use.isLast ? 1 : KEPT_ANSWERS);
  const limits = (use.isLast ? LAST_SHARES : SHARES).map((share) => Math.floor(((use.most * share) / use.scale) * CHARACTERS_PER_TOKEN));
  const plans = [
    { upTo: firstUpTo(history, upTo, use) },
    { upTo },
    ...limits.map((limit) => ({ upTo, limit: Math.max(MIN_LIMIT_CHARACTERS, limit) })),
  ];
  return plans.find(isEnough);
}

/** Where a cut ends that comes down to the goal, as far as the lengths of results tell; `end` where none does. */
function firstUpTo(history: readonly HistoryItem[], end: number, { used, goal, scale }: WindowUse): number {
  const known = history.findLast((item) => item.role === 'cut');
  let saved = 0;
  for (let place = Math.max(known?.role === 'cut' ? known.up_to : 0, findShown(history).from); place < end; place += 1) {
    const item = history[place]!;
    if (item.role !== 'tool' || !isLong(item)) continue;
    saved += Math.max(0, itemTokens(item) - REFERENCE_TOKENS) * scale;
    if (used - saved <= goal) return place + 1;
  }
  return end;
}

/** The place of the answer from which on results stay. */
function keptFrom(history: readonly HistoryItem[], kept: number): number {
  let answers = 0;
  for (let place = history.length - 1; place >= 0; place -= 1) {
    if (history[place]!.role === 'assistant' && (answers += 1) === kept) return place;
  }
  return 0;
}

/** What a model is shown of a history takes so much; of several results of a call only the last is shown. */
function shownTokens(history: readonly HistoryItem[]): number {
  const results = new Map<string, number>();
  let sum = 0;
  for (const item of shownItems(history, (tool) => tool).items) {
    const tokens = itemTokens(item);
    sum += tokens;
    if (item.role !== 'tool') continue;
    sum -= results.get(item.call_id) ?? 0;
    results.set(item.call_id, tokens);
  }
  return sum;
}
