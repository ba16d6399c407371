import type { Span } from './span.js';
import { STYLES } from './span.js';

/** A secret that was masked: its kind and its fingerprint. */
const MASK = /\[secret [a-z0-9-]{1,40} [0-9a-f]{12}\]/g;

/** The fingerprint that a mask names. */
export const fingerprintOf = (mask: string): string => mask.slice(-13, -1);

/** A text with its masks dimmed. */
export function dimMasks({ text, style }: Span): readonly Span[] {
  const spans: Span[] = [];
  let start = 0;
  for (const match of text.matchAll(MASK)) {
    if (match.index > start) spans.push({ text: text.slice(start, match.index), style });
    spans.push({ text: match[0], style: { ...style, ...STYLES.muted } });
    start = match.index + match[0].length;
  }
  return start === 0 ? [{ text, style }] : [...spans, ...(start < text.length ? [{ text: text.slice(start), style }] : [])];
}
