import type { CanonicalTool } from '../tools/canonical-tools.js';
import type { PolicyRow } from './policy-table.js';

type Limit = (call: {
  readonly row: PolicyRow | undefined;
  readonly tool: string;
  readonly paths: readonly string[] | undefined;
}) => string | undefined;

/** The tools that an agent can be allowed for some files only, because the call names every file that it writes. */
const NAMES_ITS_FILES: ReadonlySet<string> = new Set<CanonicalTool>(['write_file', 'apply_patch', 'move_file', 'delete_file']);

const isMarkdown = (path: string): boolean => /\.md$/i.test(path);

/**
 * What the agent modes refuse, as data (docs/specification/policy.md#agents): a sentence, or nothing. They only narrow. A tool that is not ours may write,
 * whatever it says of itself.
 */
const LIMITS: Readonly<Record<string, Limit>> = {
  architect: ({ row, tool, paths }) => {
    if (row?.touches === 'nothing') return undefined;
    const ok = NAMES_ITS_FILES.has(tool) && paths !== undefined && paths.length > 0 && paths.every(isMarkdown);
    return ok ? undefined : 'the architect agent writes only *.md files';
  },
  debug: ({ row }) => (row?.touches === 'files' ? 'the debug agent writes no files' : undefined),
  ask: ({ row }) => (row?.touches === 'nothing' ? undefined : 'the ask agent only reads'),
};

/** Why the session's agent must not make this call; `undefined` if it may, as every agent without limits may. */
export const findAgentLimit = (agent: string, call: Parameters<Limit>[0]): string | undefined =>
  Object.hasOwn(LIMITS, agent) ? LIMITS[agent]!(call) : undefined;
