import { canonicalError } from '../table/composite.js';
import type { Row, UseResult } from '../table/row.js';
import { renderItems } from './render-items.js';
import { renderMcp } from './render-mcp.js';

/** A tool whose results have a shape of their own, which says how they read. */
export interface SourceTool {
  /** On the wire: `mcp__github__create_issue`. */
  readonly tool: string;
  /** `mcp`: results are MCP's; `http`: they are context items. */
  readonly source: 'mcp' | 'http';
}

const RENDER = { mcp: renderMcp, http: renderItems } as const;

/**
 * A tool from outside as a row: it is called as it is, and what comes of it is put into what models and clients read. Its arguments are no
 * business of the row: whoever runs the tool judges them.
 * @param name as the model calls it
 */
export const sourceRow = (name: string, { tool, source }: SourceTool): Row => ({
  name,
  displayName: toTitle(tool),
  description: '',
  parameters: { type: 'object' },
  policy: 'allow', // the policy judges its call, as of every tool from outside
  readonly: false,
  idempotency: 'unsafe',
  needs: [],
  stands: tool,
  next: (args, [outcome]) => {
    if (outcome === undefined) return { call: { tool, args } };
    return outcome.ok ? RENDER[source](outcome.result, tool) : failed(outcome.code, outcome.message);
  },
});

const failed = (code: string, message: string): UseResult => ({ text: canonicalError(code, message), isError: true });

/** `mcp__github__create_issue` → `Create issue (github)`: people read of which server a tool is. */
const toTitle = (tool: string): string => {
  const [, server, name] = /^mcp__((?:(?!__).)+)__(.+)$/.exec(tool) ?? [];
  const words = (name ?? tool).replaceAll(/[._-]+/g, ' ').trim();
  const title = words.charAt(0).toUpperCase() + words.slice(1);
  return server === undefined ? title : `${title} (${server})`;
};
