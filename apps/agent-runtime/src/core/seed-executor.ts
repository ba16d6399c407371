/** Whoever executes without ever having said who it is. */
export const SEED_EXECUTOR = 'seed';
