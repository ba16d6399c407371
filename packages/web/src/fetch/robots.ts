import type { Egress } from '@codelab/egress';
import { LRUCache } from 'lru-cache';
import robotsModule from 'robots-parser';

/** What robots.txt calls us. */
export const ROBOT = 'CodeLabBot';
/** Sent with every request for a page. */
export const USER_AGENT = `Mozilla/5.0 (compatible; ${ROBOT}/1.0)`;

const MAX_BYTES = 512_000;
const TIMEOUT_MS = 5_000;
const HOUR_MS = 3_600_000;

/** Judging costs a rule's characters times those of the address, here where every session is served: what is more is no wish of an honest site. */
const MAX_RULES = 2_000;
const MAX_RULE = 300;
const MAX_STARS = 5;
const MAX_ADDRESS = 1_000;

/** Its types say that the module is an object with a default, and it is the function. */
const robotsParser = robotsModule as unknown as typeof robotsModule.default;

type Rules = Pick<ReturnType<typeof robotsModule.default>, 'isDisallowed'>;

/**
 * What sites want of robots, by their robots.txt, which is kept for an hour. A site that has none, or whose file can't be read, wants nothing: a human or a
 * rule asked for the one page.
 */
export class Robots {
  private readonly rules = new LRUCache<string, Rules>({ max: 500, ttl: HOUR_MS });

  constructor(private readonly egress: Pick<Egress, 'load'>) {}

  /** Whether the site keeps us from a URL. Throws what `egress` throws for an address that may not be reached. */
  async forbids(url: URL, signal: AbortSignal): Promise<boolean> {
    const rules = this.rules.get(url.origin) ?? (await this.load(url.origin, signal));
    return rules.isDisallowed(url.href.slice(0, MAX_ADDRESS), ROBOT) ?? false;
  }

  private async load(origin: string, signal: AbortSignal): Promise<Rules> {
    const url = `${origin}/robots.txt`;
    const asked = {
      url,
      method: 'GET',
      headers: { 'user-agent': USER_AGENT },
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      cut: true,
      signal,
    } as const;
    const page = await this.egress.load(asked).catch(() => undefined);
    if (page === undefined) return { isDisallowed: () => false }; // not kept: the next page asks again
    const rules = robotsParser(url, page.status === 200 ? withinBounds(page.bytes.toString('utf8')) : '');
    this.rules.set(origin, rules);
    return rules;
  }
}

/** The lines that can be judged in a bounded time. */
function withinBounds(text: string): string {
  let rules = 0;
  const lines = text.split(/\r\n?|\n/).map((line) => line.replaceAll(/\*+/g, '*'));
  return lines
    .filter((line) => {
      if (!/^\s*(?:dis)?allow/i.test(line)) return line.length <= MAX_RULE;
      rules += 1;
      return rules <= MAX_RULES && line.length <= MAX_RULE && line.split('*').length <= MAX_STARS + 1;
    })
    .join('\n');
}
