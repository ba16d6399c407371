import { useEffect, useState } from 'react';

/** How long a call still waits: `expires in 4:05`. */
export function Deadline({ atMs }: { readonly atMs: number }) {
  const [nowMs, setNowMs] = useState(() => Date.now());
  const left = Math.max(0, atMs - nowMs);
  useEffect(() => {
    const timer = setTimeout(() => setNowMs(Date.now()), nextTick(left));
    return () => clearTimeout(timer);
  }, [nowMs, left]);
  return (
    <span className="cl-approval-deadline" role="timer" data-soon={left < 60_000 || undefined}>
      {left === 0 ? 'has expired' : `expires in ${describeLeft(left)}`}
    </span>
  );
}

/** What is shown changes once a second at the end, once a minute before. */
const nextTick = (left: number): number => (left > 10 * 60_000 ? 15_000 : 1_000);

/** `4:05`, `2 hours`, `3 days`. */
export function describeLeft(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  const [minutes, hours, days] = [Math.floor(seconds / 60), Math.round(seconds / 3_600), Math.round(seconds / 86_400)];
  if (seconds < 600) return `${minutes}:${String(seconds % 60).padStart(2, '0')}`;
  if (minutes < 120) return `${minutes} minutes`;
  return hours < 48 ? `${hours} hours` : `${days} days`;
}
