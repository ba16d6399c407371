import { Egress, EgressError } from '@codelab/egress';
import { SearchFailure, type SearchHit, type SearchProvider, type SearchQuestion } from './provider.js';

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 5_000_000;

export interface SearchOptions {
  /** How the setting of the key is called. */
  readonly keySetting: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly maxResults?: number;
  readonly timeoutMs?: number;
}

/**
 * Asks one provider. The operator configured it, so its host may be private (a SearXNG of one's own); where it redirects to is judged as ever. Its
 * answers are read as data only, and neither key nor raw answer gets into what is told of a failure.
 */
export class SearchClient {
  private readonly egress: Egress;

  constructor(
    private readonly provider: SearchProvider,
    private readonly options: SearchOptions,
  ) {
    const home = new URL(provider.toRequest({ query: 'x', limit: 1, allowed: [], blocked: [], contents: false }).url);
    const host = home.hostname.replace(/^\[|\]$/g, '');
    const port = Number(home.port) || (home.protocol === 'https:' ? 443 : 80);
    this.egress = new Egress({ allow: { allows: (target) => target.hostname === host && target.port === port } });
  }

  /** Throws {@link SearchFailure}. */
  async search(question: SearchQuestion, signal: AbortSignal): Promise<readonly SearchHit[]> {
    const { name } = this.provider;
    const { headers, maxResults = Infinity } = this.options;
    const limit = Math.min(question.limit, maxResults);
    const request = this.provider.toRequest({ ...question, limit });
    const answer = await this.egress
      .fetch({ ...request, headers: { ...request.headers, ...headers }, timeoutMs: this.timeoutMs, maxBytes: MAX_BYTES, signal })
      .catch((error: unknown) => {
        throw this.toFailure(error);
      });
    if (answer.status !== 200) throw new SearchFailure('HTTP_ERROR', this.statusMessage(answer.status));
    const hits = this.provider.toHits(parse(answer.text), question);
    if (hits === undefined)
      throw new SearchFailure('HTTP_ERROR', `the search provider (${name}) answered with something else than results`);
    return hits.filter(({ url }) => isWanted(url, question)).slice(0, limit);
  }

  close(): Promise<void> {
    return this.egress.close();
  }

  private get timeoutMs(): number {
    return this.options.timeoutMs ?? TIMEOUT_MS;
  }

  private statusMessage(status: number): string {
    const { name, hints = {} } = this.provider;
    const why =
      hints[status] ??
      (status === 401 || status === 403
        ? `it refuses the key; whoever runs CodeLab checks ${this.options.keySetting}`
        : status === 429 || status === 432 || status === 433
          ? 'it was asked too often, or its quota is used up; try again later'
          : status >= 500
            ? 'it has a fault of its own; try again later'
            : 'it does not take the question');
    return `the search provider (${name}) answered ${String(status)}: ${why}`;
  }

  private toFailure(error: unknown): unknown {
    if (!(error instanceof EgressError)) return error;
    const { name } = this.provider;
    if (error.failure === 'cancelled') return new SearchFailure('CANCELLED', error.message);
    if (error.failure === 'timeout')
      return new SearchFailure('TIMEOUT', `the search provider (${name}) gave no answer within ${String(this.timeoutMs / 1_000)} s`);
    return new SearchFailure('HTTP_ERROR', `the search provider (${name}) can't be asked: ${error.message}`);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Engines take sites as a wish; what was asked for holds. */
function isWanted(url: string, { allowed, blocked }: SearchQuestion): boolean {
  if (!/^https?:/i.test(url) || !URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  const isOf = (site: string): boolean => hostname === site || hostname.endsWith(`.${site}`);
  return (allowed.length === 0 || allowed.some(isOf)) && !blocked.some(isOf);
}
