import type { Workspace } from '@codelab/workspace';
import type { ChatEvent } from '../../core/chat/chat-state.js';

/** Paths that are offered at once. */
const MAX_CANDIDATES = 50;

/** Looks for paths while a mention is typed. Only the last question is answered. */
export class PathCompleter {
  private asking: AbortController | undefined;

  constructor(
    private readonly attachments: Workspace['attachments'],
    private readonly dispatch: (event: ChatEvent) => void,
  ) {}

  async complete(path: string): Promise<void> {
    this.asking?.abort();
    const asking = (this.asking = new AbortController());
    const options = { limit: MAX_CANDIDATES, signal: asking.signal };
    const candidates = await this.attachments.complete(path, options).catch(() => []); // a folder that can't be read offers nothing
    if (!asking.signal.aborted) this.dispatch({ kind: 'completed', path, candidates, atMs: Date.now() });
  }
}
