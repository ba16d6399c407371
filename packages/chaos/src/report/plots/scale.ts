/** Where a value stands on an axis, in percent of its length. */
export type Scale = (value: number) => number;

const clamp = (percent: number): number => Math.min(100, Math.max(0, percent));

/** A number as an SVG attribute wants it. */
export const percent = (value: number): string => `${String(Math.round(value * 1000) / 1000)}%`;

export const linearScale =
  (from: number, to: number): Scale =>
  (value) =>
    clamp(((value - from) / Math.max(to - from, Number.EPSILON)) * 100);

/** `from` must be above 0. */
export const logScale = (from: number, to: number): Scale => {
  const linear = linearScale(Math.log(from), Math.log(to));
  return (value) => linear(Math.log(Math.max(value, from)));
};

const STEPS = [1, 2, 5];

/** Round numbers between two, some `count` of them at most. */
export const linearTicks = (from: number, to: number, count: number): number[] => {
  const rough = Math.max(to - from, 1) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = (STEPS.find((factor) => factor * power >= rough) ?? 10) * power;
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.floor(to / step) - first + 1 }, (_, at) => (first + at) * step);
};

/** 1, 2, 5, 10, 20 … between two numbers above 0. */
export const logTicks = (from: number, to: number): number[] => {
  const ticks: number[] = [];
  for (let power = 10 ** Math.floor(Math.log10(from)); power <= to; power *= 10) ticks.push(...STEPS.map((factor) => factor * power));
  return ticks.filter((tick) => tick >= from && tick <= to);
};

/** The value below which `share` of the samples lie (nearest rank); 0 of none. */
export const quantile = (samples: readonly number[], share: number): number => {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
};

/** Milliseconds as people read them. */
export const duration = (ms: number): string => {
  if (ms === 0) return '0';
  if (ms < 1) return `${ms.toFixed(2)} ms`;
  if (ms < 1000) return `${String(Math.round(ms))} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1).replace(/\.?0+$/, '')} s`;
  return `${String(Math.floor(ms / 60_000))} min ${String(Math.round((ms % 60_000) / 1000))} s`;
};
