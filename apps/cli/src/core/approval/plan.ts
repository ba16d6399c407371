import { MarkdownStream } from '../markdown/markdown-stream.js';
import type { MarkdownLook } from '../markdown/render-markdown.js';
import type { Line } from '../text/span.js';

/** Draws a plan. */
export function renderPlan(plan: string, look: MarkdownLook): readonly Line[] {
  const stream = new MarkdownStream();
  return [...stream.push(plan, look), ...stream.end(look)];
}

/** The keys that decide about a plan. */
export const PLAN_KEYS = [
  ['a', 'carry it out'],
  ['f', 'carry it out, edit freely'],
  ['r', 'reject…'],
  ['e', 'edit'],
  ['d', 'details'],
] as const;
