import type { Owner } from '../../session-ref.js';
import type { ToolCallLog, ToolCallPage, ToolCallRow } from '../../accounts/tool-call-log.js';
import { decodeToolCall, toolCallFields } from './tool-call-rows.js';
import { SCRIPT_LIMITS, TOOL_CALL_TTL_MS, USAGE_FLUSH_MS } from '../limits.js';
import { OwnerBatches } from './owner-batches.js';
import type { RedisLedgerParts } from './redis-ledger.js';

/** Rows of one script call. */
const MAX_ROWS = 100;
/** Rows that are read at a time while one that fits is looked for. */
const READ_ROWS = 500;

type StreamRow = readonly [id: string, flat: readonly string[]];

/** The log of tool calls, in Redis: a stream for each person. */
export class RedisToolCallLog implements ToolCallLog {
  private readonly rows: OwnerBatches<ToolCallRow>;

  constructor(
    private readonly parts: RedisLedgerParts,
    { flushMs = USAGE_FLUSH_MS }: { readonly flushMs?: number } = {},
  ) {
    const { commands, keys, logger } = parts;
    this.rows = new OwnerBatches<ToolCallRow>({
      ...{ commands, logger, operation: 'log-tool-calls', everyMs: flushMs, maxItems: MAX_ROWS },
      toCommand: ({ owner, writer, number, items }) => {
        const { writers, toolCalls } = keys.ledger(owner);
        const rows = items.map(toolCallFields).flatMap((fields) => [fields.length, ...fields]);
        return ['logToolCalls', writers, toolCalls, writer, number, TOOL_CALL_TTL_MS, ...rows];
      },
    });
  }

  record(owner: Owner, row: ToolCallRow): void {
    this.rows.add(owner, row);
  }

  async read(
    owner: Owner,
    {
      limit,
      before,
      sessionId,
      tool,
    }: { readonly limit: number; readonly before?: string; readonly sessionId?: string; readonly tool?: string },
  ): Promise<ToolCallPage> {
    await this.flush();
    const fits = (row: ToolCallRow): boolean =>
      (sessionId === undefined || row.sessionId === sessionId) && (tool === undefined || row.tool === tool);
    const found: { readonly id: string; readonly row: ToolCallRow }[] = [];
    let end = before === undefined ? '+' : `(${before}`;
    for (let seen = 0; seen <= SCRIPT_LIMITS.MAX_TOOL_CALLS; seen += READ_ROWS) {
      const part = await this.readBefore(owner, end);
      found.push(...part.map(([id, flat]) => ({ id, row: decodeToolCall(flat) })).filter(({ row }) => fits(row)));
      if (part.length < READ_ROWS || found.length > limit) break;
      end = `(${part.at(-1)![0]}`;
    }
    const shown = found.slice(0, limit);
    return { rows: shown.map(({ row }) => row), ...(found.length > limit && { next: shown.at(-1)!.id }) };
  }

  flush(): Promise<void> {
    return this.rows.flush();
  }

  close(): Promise<void> {
    return this.rows.close();
  }

  private async readBefore(owner: Owner, end: string): Promise<readonly StreamRow[]> {
    const { commands, keys } = this.parts;
    const [part] = await commands.run('read-tool-calls', [['xrevrange', keys.ledger(owner).toolCalls, end, '-', 'COUNT', READ_ROWS]]);
    return part as readonly StreamRow[];
  }
}
