import type { Finding } from '../findings.js';

/** Named one by one. */
const MAX_NAMED = 3;

/** From this part of a bound on it is worth a word. */
export const NEAR = 0.8;

export const right = (subject: string, found: string): Finding => ({ state: 'right', subject, found });

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

export const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

/** The first of them by name, and how many more there are. */
export const list = (items: readonly string[]): string =>
  items.length <= MAX_NAMED ? items.join(', ') : `${items.slice(0, MAX_NAMED).join(', ')} and ${items.length - MAX_NAMED} more`;
