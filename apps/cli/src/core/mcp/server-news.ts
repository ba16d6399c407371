import type { McpServerState } from '@codelab/mcp';
import { sanitiseLine } from '@codelab/tools/human';

/** What is told of a server. */
export interface ServerNews {
  readonly tone: 'info' | 'warning';
  readonly text: string;
}

/** A server that comes and goes is told of once in so long. */
const QUIET_MS = 5 * 60_000;

type Told = 'failed' | 'needs_login' | 'ready';

/**
 * What people should hear of servers that fail, want a login, or come back: once each, and of one that comes and goes not each time. A server that
 * connects as it should is no news.
 */
export class ServerNewsReader {
  private readonly told = new Map<string, Told>();
  private readonly noted = new Set<string>();
  private readonly failedAtMs = new Map<string, number>();

  /** The news since the last time. */
  read(states: readonly McpServerState[], nowMs: number): readonly ServerNews[] {
    return states.flatMap((state) => [...this.readOne(state, nowMs), ...this.readNotes(state)]);
  }

  /** What was left out or cut of a server, once; the first note alone where there are several. */
  private readNotes({ name, status, notes }: McpServerState): readonly ServerNews[] {
    const [first] = notes;
    if (status.kind !== 'ready' || first === undefined || this.noted.has(`${name} ${first}`)) return [];
    this.noted.add(`${name} ${first}`);
    const more = notes.length === 1 ? '' : ` (/mcp shows ${notes.length - 1} more)`;
    return [{ tone: 'info', text: `The MCP server ${name}: ${sanitiseLine(first, 300)}${more}` }];
  }

  private readOne({ name, status }: McpServerState, nowMs: number): readonly ServerNews[] {
    if (status.kind === 'connecting' || status.kind === 'disabled') return [];
    const last = this.told.get(name) ?? 'ready';
    if (last === status.kind) return [];
    if (status.kind === 'failed' && nowMs - (this.failedAtMs.get(name) ?? -Infinity) < QUIET_MS) return [];
    this.told.set(name, status.kind);
    if (status.kind === 'ready') return [{ tone: 'info', text: `The MCP server ${name} is ready again.` }];
    if (status.kind === 'needs_login') return [{ tone: 'warning', text: `The MCP server ${name} wants a login: /mcp login ${name}` }];
    this.failedAtMs.set(name, nowMs);
    return [{ tone: 'warning', text: `The MCP server ${name} is away: ${sanitiseLine(status.why, 300)} (/mcp shows more)` }];
  }
}
