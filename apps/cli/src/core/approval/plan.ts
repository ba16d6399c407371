import { PLAN_TOOL } from '@codelab/tools';
import { MarkdownStream } from '../markdown/markdown-stream.js';
import type { MarkdownLook } from '../markdown/render-markdown.js';
import type { Line } from '../text/span.js';

/** The plan that a call puts before the user, as Markdown; undefined where the call is another one, or no plan can be read. */
export function planOf({ toolName, args }: { readonly toolName: string; readonly args: string }): string | undefined {
  if (toolName !== PLAN_TOOL.name) return undefined;
  try {
    const { plan } = JSON.parse(args) as { readonly plan?: unknown };
    return typeof plan === 'string' ? plan : undefined;
  } catch {
    return undefined; // shown as it came
  }
}

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
