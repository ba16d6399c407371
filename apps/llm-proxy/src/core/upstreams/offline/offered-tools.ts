import type { ModelTool } from '@codelab/llm';
import type { ToolUse } from './task.js';

/** The tools of one request, found by their canonical names: `git.diff` may be offered as `git_diff`. */
export class OfferedTools {
  private readonly byKey: ReadonlyMap<string, ModelTool>;

  constructor(tools: readonly ModelTool[]) {
    this.byKey = new Map(tools.map((tool) => [toKey(tool.name), tool]));
  }

  /** The name under which a tool was offered, or nothing. */
  nameOf(canonical: string): string | undefined {
    return this.byKey.get(toKey(canonical))?.name;
  }

  /** Whether every one of these tools was offered. */
  has(canonical: readonly string[]): boolean {
    return canonical.every((name) => this.nameOf(name) !== undefined);
  }

  /** The arguments as JSON text, without optional ones that the offered tool doesn't have. */
  argumentsOf({ tool, args, optional = [] }: ToolUse): string {
    const schema = this.byKey.get(toKey(tool))?.parameters.properties;
    const known = typeof schema === 'object' && schema !== null ? Object.keys(schema) : undefined;
    const kept = Object.entries(args).filter(([name]) => !optional.includes(name) || known === undefined || known.includes(name));
    return JSON.stringify(Object.fromEntries(kept));
  }
}

function toKey(name: string): string {
  return name.replace(/[^a-zA-Z0-9]/g, '_').toLowerCase();
}
