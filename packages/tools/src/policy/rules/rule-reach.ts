import type { PolicyCall } from '../policy-call.js';
import type { PolicyRule } from '../policy-session.js';
import { namesTool } from './tool-pattern.js';

/** Whether a rule still counts. Without a time an expiring `allow` counts as gone, an expiring `ask` or `deny` as living. */
export const isLiving = ({ effect, expiresAtMs }: PolicyRule, nowMs: number | undefined): boolean => {
  if (expiresAtMs === undefined) return true;
  return nowMs === undefined ? effect !== 'allow' : nowMs < expiresAtMs;
};

/** Whether a rule is about calls of this tool: it names it, or every tool, or the one that the tool stands in for. */
export const isAboutTool = ({ tool }: PolicyRule, call: Pick<PolicyCall, 'name' | 'tool'>): boolean =>
  tool === '*' || namesTool(tool, call.name, call.tool !== undefined) || tool === call.tool?.standsFor;
