import type { ModelTool } from '@codelab/llm';
import type { Outcome, ToolUse } from './task.js';
import { readResult } from './wordings/read-result.js';
import { fromWorded, toWorded, type Wording } from './wordings/wording.js';
import { WORDINGS } from './wordings/wordings.js';

interface Offered {
  readonly tool: ModelTool;
  readonly wording: Wording;
}

/** The tools of one request, found by what they do: `git.diff` may be offered as `git_diff`, `search_in_project` as `Grep`. */
export class OfferedTools {
  private readonly byKey: ReadonlyMap<string, ModelTool>;

  constructor(tools: readonly ModelTool[]) {
    this.byKey = new Map(tools.map((tool) => [toKey(tool.name), tool]));
  }

  /** The name under which a tool was offered, or nothing. */
  nameOf(canonical: string): string | undefined {
    return this.find(canonical)?.tool.name;
  }

  /** Whether every one of these tools was offered. */
  has(canonical: readonly string[]): boolean {
    return canonical.every((name) => this.nameOf(name) !== undefined);
  }

  /** The arguments as JSON text, without optional ones that the offered tool doesn't have. */
  argumentsOf({ tool, args, optional = [] }: ToolUse): string {
    const found = this.find(tool);
    if (!found) return JSON.stringify(args);
    const known = propertiesOf(found.tool);
    const names = new Set(optional.map((name) => found.wording.names?.[name] ?? name));
    const worded = Object.entries(toWorded(found.wording, args));
    return JSON.stringify(Object.fromEntries(worded.filter(([name]) => known === undefined || !names.has(name) || known.includes(name))));
  }

  /** What came of a call, in canonical terms. */
  read({ tool, args }: ToolUse, outcome: Outcome): Outcome {
    const wording = this.find(tool)?.wording;
    return wording ? readResult(tool, { ...outcome, args: fromWorded(wording, outcome.args, args) }, wording) : outcome;
  }

  /** Where the properties of a tool aren't known, only its canonical wording can be meant. */
  private find(canonical: string): Offered | undefined {
    for (const [place, wording] of (WORDINGS[canonical] ?? [{ name: canonical }]).entries()) {
      const tool = this.byKey.get(toKey(wording.name));
      if (tool === undefined) continue;
      const known = propertiesOf(tool);
      if (known === undefined ? place === 0 : wording.has === undefined || known.includes(wording.has)) return { tool, wording };
    }
    return undefined;
  }
}

function propertiesOf({ parameters }: ModelTool): readonly string[] | undefined {
  const { properties } = parameters;
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : undefined;
}

function toKey(name: string): string {
  return name.replace(/[^a-zA-Z0-9]/g, '_').toLowerCase();
}
