import type { Retry, SessionView } from '../session-view.js';
import { formatSeconds } from './format.js';

const REASONS: Readonly<Record<Retry['reason'], string>> = {
  rate_limited: 'rate limited',
  overloaded: 'the provider is overloaded',
  unavailable: 'the provider is not available',
};

/** What goes on, in a few words that may hold text from outside. `warn`: it is not what anybody wanted. */
export interface ActivityWords {
  readonly tone: 'plain' | 'warn';
  readonly text: string;
}

/** Says what goes on while nothing else moves; nothing where something does or somebody is asked, or no turn runs. */
export function describeActivity(view: SessionView, nowMs: number): ActivityWords | undefined {
  const { turn, items, drafting, retry } = view;
  if (!turn) return undefined;
  if (turn.cancelling) return { tone: 'warn', text: 'stopping …' };
  if (retry) return { tone: 'warn', text: describeRetry(retry, nowMs) };
  const last = items.at(-1);
  const moves =
    (last?.kind === 'assistant' && !last.done && last.text !== '' && drafting === undefined) ||
    items.some((item) => item.kind === 'call' && (item.progress === 'running' || item.progress === 'waiting'));
  if (moves) return undefined;
  if (drafting !== undefined) return { tone: 'plain', text: `writing a call of ${drafting.slice(0, 64)}` };
  return { tone: 'plain', text: view.activity === 'compacting' ? 'summing up what is older' : 'thinking' };
}

/** Characters of a provider's words. */
const MAX_WORDS = 300;

/** `rate limited: the provider's words · trying again in 12 s (2 of 5)` */
function describeRetry({ reason, message, attempt, maxAttempts, atMs }: Retry, nowMs: number): string {
  const why = message === undefined ? REASONS[reason] : `${REASONS[reason]}: ${message.replace(/\s+/g, ' ').trim().slice(0, MAX_WORDS)}`;
  const when = atMs > nowMs ? `trying again in ${formatSeconds(atMs - nowMs + 999)}` : 'asking again';
  return `${why} · ${when} (${maxAttempts === undefined ? `attempt ${attempt}` : `${attempt} of ${maxAttempts}`})`;
}
