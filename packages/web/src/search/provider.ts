import type { ToolErrorCode } from '@codelab/protocol';

/** What is searched for. */
export interface SearchQuestion {
  readonly query: string;
  /** Results that are wanted. */
  readonly limit: number;
  /** Hosts, with what is below them; at most one of the two lists has entries. */
  readonly allowed: readonly string[];
  readonly blocked: readonly string[];
  /** Whether the contents of the pages are wanted, from a provider that has them. */
  readonly contents: boolean;
}

/** A page that was found. */
export interface SearchHit {
  readonly title: string;
  readonly url: string;
  /** What the provider shows of it, as text. */
  readonly snippet: string;
}

/** What is asked of a provider by HTTP. */
export interface SearchRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** One way of asking a search engine, without the asking. */
export interface SearchProvider {
  /** As people know it. */
  readonly name: string;
  toRequest(question: SearchQuestion): SearchRequest;
  /** Reads what it answered; nothing where that is not what it answers with. */
  toHits(answer: unknown, question: SearchQuestion): readonly SearchHit[] | undefined;
  /** What a status of its own means, for whoever runs CodeLab. */
  readonly hints?: Readonly<Record<number, string>>;
}

/** Expected failures of a search. `message` holds no key. */
export class SearchFailure extends Error {
  override readonly name = 'SearchFailure';

  constructor(
    readonly code: ToolErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** The words of a search with what engines understand of sites. */
export function withSites({ query, allowed, blocked }: SearchQuestion): string {
  const only = allowed.map((site) => `site:${site}`).join(' OR ');
  const without = blocked.map((site) => `-site:${site}`);
  return [query, ...(only === '' ? [] : [allowed.length > 1 ? `(${only})` : only]), ...without].join(' ');
}
