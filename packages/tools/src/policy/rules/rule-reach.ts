import type { PolicyRule } from '../policy-session.js';

/** Whether a rule still counts. Without a time an expiring `allow` counts as gone, an expiring `ask` or `deny` as living. */
export const isLiving = ({ effect, expiresAtMs }: PolicyRule, nowMs: number | undefined): boolean => {
  if (expiresAtMs === undefined) return true;
  return nowMs === undefined ? effect !== 'allow' : nowMs < expiresAtMs;
};
