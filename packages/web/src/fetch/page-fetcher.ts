import { EgressError, toTarget, type Egress, type EgressPage } from '@codelab/egress';
import { maskSecrets } from '@codelab/tools';
import { LRUCache } from 'lru-cache';
import { UnreadablePage, type PageReader } from '../read/page-reader.js';
import { failed, type WebFailure } from '../web-tool.js';
import { Robots, ROBOT, USER_AGENT } from './robots.js';
import { statusMessage } from './status-message.js';
import { toReadable } from './to-readable.js';

/** A page as it is told. */
export interface FetchedPage {
  /** Where it came from in the end. */
  readonly url: string;
  readonly title: string;
  readonly markdown: string;
}

export type Fetched = { readonly ok: true; readonly page: FetchedPage } | { readonly ok: true; readonly elsewhere: string } | WebFailure;

/** Redirects on one host; more is a loop. */
const MAX_REDIRECTS = 5;
/** For one page, with its redirects; reading it comes on top. */
const TIMEOUT_MS = 20_000;
/** Of the decoded answer; what is beyond is not read. */
const MAX_BYTES = 3_000_000;
/** Characters of Markdown that are kept: more than are ever told. */
const MAX_KEPT = 200_000;
const NONE: ReadonlySet<string> = new Set();
const CACHE_MS = 15 * 60_000;
const CACHE_CHARACTERS = 16_000_000;
const ACCEPT = 'text/markdown, text/html;q=0.9, text/plain;q=0.8, application/json;q=0.8, application/xml;q=0.7, */*;q=0.1';

/**
 * Fetches pages for models. http is raised to https, but for hosts that the operator lists; redirects are followed on the same host only, robots.txt is
 * heeded, nothing of a user goes along (no cookie, no login), so that a page may be kept for everybody for 15 minutes.
 */
export class PageFetcher {
  private readonly robots: Robots;
  private readonly cache: LRUCache<string, FetchedPage>;

  constructor(
    private readonly egress: Egress,
    private readonly reader: PageReader,
    now: () => number = Date.now,
  ) {
    this.robots = new Robots(egress);
    this.cache = new LRUCache({
      maxSize: CACHE_CHARACTERS,
      sizeCalculation: ({ url, title, markdown }) => url.length + title.length + markdown.length + 1,
      ttl: CACHE_MS,
      ttlResolution: 0,
      perf: { now },
    });
  }

  async fetch(text: string, signal: AbortSignal): Promise<Fetched> {
    const asked = text.trim();
    if (!/^https?:\/\//i.test(asked)) return failed('INVALID_ARGUMENTS', 'url: no address; expected one that begins with https://');
    try {
      return await this.follow(this.raise(toTarget(asked)), signal);
    } catch (error) {
      return this.toFailure(asked, error);
    }
  }

  private async follow(first: URL, signal: AbortSignal): Promise<Fetched> {
    const deadline = Date.now() + TIMEOUT_MS;
    let url = first;
    for (let redirects = 0; ; redirects += 1) {
      const kept = this.cache.get(url.href);
      if (kept !== undefined) return { ok: true, page: kept };
      const timeoutMs = Math.max(1, deadline - Date.now());
      this.egress.check(url.href);
      if (await this.robots.forbids(url, signal)) {
        const why = `robots.txt of ${url.host} keeps ${ROBOT} from ${url.pathname}; ask the user for what stands there, or look elsewhere`;
        return failed('DENIED_BY_POLICY', why);
      }
      const headers = { 'user-agent': USER_AGENT, accept: ACCEPT };
      const asked = {
        url: url.href,
        method: 'GET',
        headers,
        timeoutMs,
        maxBytes: MAX_BYTES,
        cut: true,
        redirects: 'tell',
        signal,
      } as const;
      const answer = await this.egress.load(asked);
      if (answer.location === undefined) return await this.toPage(answer);
      const next = this.raise(toTarget(answer.location));
      next.hash = '';
      if (!isSameHost(url, next)) return { ok: true, elsewhere: next.href };
      if (redirects === MAX_REDIRECTS)
        return failed('HTTP_ERROR', `${first.href} redirects more than ${String(MAX_REDIRECTS)} times: it leads nowhere`);
      url = next;
    }
  }

  private async toPage(answer: EgressPage): Promise<Fetched> {
    const { url, status, headers } = answer;
    if (status < 200 || status > 299) return failed('HTTP_ERROR', statusMessage(url, status, headers['retry-after']));
    const { title, markdown } = await toReadable(answer, this.reader);
    const page = { url, title: maskSecrets(title, NONE).text, markdown: maskSecrets(markdown.slice(0, MAX_KEPT), NONE).text };
    this.cache.set(url, page);
    return { ok: true, page };
  }

  /** What the operator lists may be a machine of their own without a certificate. */
  private raise(url: URL): URL {
    const raised = new URL(url);
    raised.hash = '';
    if (raised.protocol === 'http:' && !this.egress.isListed(raised)) raised.protocol = 'https:';
    return raised;
  }

  private toFailure(url: string, error: unknown): Fetched {
    if (error instanceof UnreadablePage) return failed('HTTP_ERROR', `${url} can't be read: ${error.message}`);
    if (!(error instanceof EgressError)) throw error;
    const { failure, message, privateHost } = error;
    if (privateHost !== undefined) return failed('DENIED_BY_POLICY', `${privateHost} is a private address`);
    if (failure === 'forbidden') return failed('INVALID_ARGUMENTS', `url: ${message}`);
    if (failure === 'cancelled') return failed('CANCELLED', message);
    if (failure === 'timeout')
      return failed('TIMEOUT', `${url} gave no whole page within ${String(TIMEOUT_MS / 1_000)} s; try again later, or look elsewhere`);
    return failed('HTTP_ERROR', `${url}: ${message}; check the address, or try again later`);
  }
}

/** Another port is another server; the default ports of http and https are one. */
const isSameHost = (from: URL, to: URL): boolean => from.host === to.host;
