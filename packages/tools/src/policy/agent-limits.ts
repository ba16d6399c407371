import type { PolicyCall } from './policy-call.js';

type Limit = (call: PolicyCall) => string | undefined;

const isMarkdown = (path: string): boolean => /\.md$/i.test(path);

/**
 * What the agent modes refuse, as data (docs/specification/policy.md#agents): a sentence, or nothing. They only narrow. A tool that is not ours may write,
 * whatever it says of itself.
 */
const LIMITS: Readonly<Record<string, Limit>> = {
  architect: ({ row, about, paths }) => {
    if (row?.touches === 'nothing') return undefined;
    const ok = about?.complete === true && paths !== undefined && paths.length > 0 && paths.every(isMarkdown);
    return ok ? undefined : 'the architect agent writes only *.md files';
  },
  debug: ({ row }) => (row?.touches === 'files' ? 'the debug agent writes no files' : undefined),
  ask: ({ row }) => (row?.touches === 'nothing' ? undefined : 'the ask agent only reads'),
};

/** Why the session's agent must not make this call; `undefined` if it may, as every agent without limits may. */
export const findAgentLimit = (agent: string, call: PolicyCall): string | undefined =>
  Object.hasOwn(LIMITS, agent) ? LIMITS[agent]!(call) : undefined;
