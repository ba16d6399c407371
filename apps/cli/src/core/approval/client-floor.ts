import type { LocalFloor } from '@codelab/client';
import { decidePolicy, findTool } from '@codelab/tools';
import type { JsonObject } from '@codelab/tools';

/**
 * What this machine asks about whatever the servers decide (H2's limit): commands, deletions, commits, and paths that make programs run.
 * It is the least that any mode asks, so it costs a question only where a server has lowered an answer.
 */
export const clientFloor: LocalFloor = {
  judge(toolName, args) {
    const decision = decidePolicy(findTool(toolName), toolName, args as JsonObject, { mode: 'permissive', agent: 'coder' });
    return decision.kind === 'allow' ? 'run' : 'ask';
  },
};
