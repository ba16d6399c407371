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
    return rules.isDisallowed(url.href, ROBOT) ?? false;
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
    const rules = robotsParser(url, page.status === 200 ? page.bytes.toString('utf8') : '');
    this.rules.set(origin, rules);
    return rules;
  }
}
