import { PROTOCOL_VERSIONS, type ForeignTool, type ProtocolVersion } from '@codelab/protocol';
import { DEFAULT_DEADLINE_MS, type ToolDefinition } from './tool-definition.js';
import { findTool, isCanonicalTool, isCapability, TOOLS } from './tools.js';

/** Whoever executes without ever having said who it is. */
export const SEED_EXECUTOR = 'seed';

/** What is stored of a session's executor. */
export interface StoredExecutor {
  /** `client_id`, {@link SEED_EXECUTOR}, or '' for none. */
  readonly executor: string;
  /** JSON text of its `hello.tools`. */
  readonly executorTools: string;
  readonly protocolVersion: string;
}

/** What a client that never said `hello` speaks. */
const SEED_VERSION = '1.0';

const toDefinition = (tool: ForeignTool): ToolDefinition => ({
  name: tool.name,
  since: SEED_VERSION,
  group: 'process', // it may do anything
  access: 'write',
  idempotency: tool.idempotency ?? 'unsafe',
  description: tool.description,
  parameters: tool.input_schema,
  deadlineMs: DEFAULT_DEADLINE_MS,
  source: tool.tags?.includes('mcp') === true ? 'mcp' : 'client',
});

const rankOf = (version: string): number => (PROTOCOL_VERSIONS as readonly string[]).indexOf(version);

/** Whether a protocol version has all that another one has. */
export const isAtLeast = (version: string, other: ProtocolVersion): boolean => rankOf(version) >= rankOf(other);

/** Additions to the 18 tools, which every client of version 2.1 has. */
const ADDITIONS = ['x1', 'x2', 'x3', 'x4', 'x5'];

/** What an executor has beside tools that a model can be shown: capabilities by their names, and of version 2.1 `x1` to `x5`. */
export function readCapabilities({ executor, executorTools, protocolVersion }: StoredExecutor): ReadonlySet<string> {
  if (executor === '' || executor === SEED_EXECUTOR || !isAtLeast(protocolVersion, '2.1')) return new Set();
  const declared = executorTools === '' ? [] : (JSON.parse(executorTools) as readonly (string | ForeignTool)[]);
  return new Set([...ADDITIONS, ...declared.filter((entry) => typeof entry === 'string' && isCapability(entry))] as readonly string[]);
}

/**
 * The tools that can be called: those that the executor declared and its protocol version knows; of a client without identity the six of
 * version 1.0. Capabilities are none: see {@link readCapabilities}. A session that nobody executes for has none, nor has an executor that has not named its tools yet. A foreign tool never takes a canonical name (docs/specification/tools.md#other-tools), and what it says of its own harmlessness is not believed.
 */
export function readExecutorTools(meta: StoredExecutor): readonly ToolDefinition[] {
  if (meta.executor === '') return [];
  const isKnown = ({ since }: ToolDefinition): boolean => rankOf(since) <= Math.max(rankOf(meta.protocolVersion), 0);
  if (meta.executor === SEED_EXECUTOR) return TOOLS.filter(({ since }) => since === SEED_VERSION);
  if (meta.executorTools === '') return [];
  const declared = JSON.parse(meta.executorTools) as readonly (string | ForeignTool)[];
  const tools = new Map<string, ToolDefinition>();
  for (const entry of declared) {
    const tool = typeof entry === 'string' ? findTool(entry) : isCanonicalTool(entry.name) ? undefined : toDefinition(entry);
    if (tool !== undefined && isKnown(tool) && !isCapability(tool.name)) tools.set(tool.name, tool);
  }
  return [...tools.values()];
}
