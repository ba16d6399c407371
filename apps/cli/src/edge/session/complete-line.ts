import type { Workspace } from '@codelab/workspace';

/** Paths that are offered at once. */
const MAX_CANDIDATES = 50;

/** Looks what something that is being typed can become. */
export type FindCandidates = (begun: string, signal: AbortSignal) => Promise<readonly string[]>;

/** Looks for candidates while something is typed. Only the last question is answered. */
export class Completer {
  private asking: AbortController | undefined;

  constructor(
    private readonly find: FindCandidates,
    private readonly tell: (begun: string, candidates: readonly string[]) => void,
  ) {}

  async complete(begun: string): Promise<void> {
    this.asking?.abort();
    const asking = (this.asking = new AbortController());
    const candidates = await this.find(begun, asking.signal).catch(() => []); // what can't be read offers nothing
    if (!asking.signal.aborted) this.tell(begun, candidates.slice(0, MAX_CANDIDATES));
  }
}

/**
 * Paths of the workspace that a mention can become.
 * @param others what else it can become: resources of MCP servers
 */
export const pathsBeside =
  (attachments: Workspace['attachments'], others: (begun: string) => Promise<readonly string[]>): FindCandidates =>
  async (begun, signal) => {
    const [paths, beside] = await Promise.all([
      attachments.complete(begun, { limit: MAX_CANDIDATES, signal }).catch(() => []), // a folder that can't be read offers nothing
      others(begun).catch(() => []), // nor does a server that is away
    ]);
    return [...beside, ...paths];
  };
