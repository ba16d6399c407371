const UNITS_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 } as const;

/** `30m`, `12h`, `7d`, `2w` in milliseconds; undefined if it is none of them. */
export function readDuration(text: string): number | undefined {
  const match = /^([1-9]\d{0,4})([mhdw])$/.exec(text);
  return match ? Number(match[1]) * UNITS_MS[match[2] as keyof typeof UNITS_MS] : undefined;
}
