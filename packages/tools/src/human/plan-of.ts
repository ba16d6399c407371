import { PLAN_TOOL } from '../policy/plan-tool.js';

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
