/** `7 ms`, `1.4 s`, `2 min 5 s`: a duration as people read it. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

/** `0 s`, `12 s`, `2 min 5 s`: time that runs, in whole seconds, so that nothing flickers. */
export const formatSeconds = (ms: number): string =>
  ms < 60_000 ? `${Math.max(0, Math.floor(ms / 1000))} s` : formatDuration(Math.floor(ms / 1000) * 1000);

/** `840`, `12.3k`, `1.2M`: a count of tokens. */
export function formatCount(count: number): string {
  if (count < 1000) return String(count);
  if (count < 999_500) return `${trimZero((count / 1000).toFixed(count < 99_950 ? 1 : 0))}k`;
  return `${trimZero((count / 1_000_000).toFixed(1))}M`;
}

/** `$0.0042`, `$1.37`: US dollars, small sums with four places. */
export const formatCost = (usd: number): string => `$${usd.toFixed(usd < 0.1 ? 4 : 2)}`;

/** `812 B`, `3.4 KB`, `1.0 MB` (1 KB = 1024 bytes). */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

/** `1 line`, `3 lines`: a count with its noun. */
export const formatPlural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const trimZero = (text: string): string => text.replace(/\.0$/, '');
