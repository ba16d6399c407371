import { formatPlural } from '@codelab/client/view';
import type { LeftOutTool } from '@codelab/client';
import { toolTitle } from '@codelab/tools/human';

/** Names that are said of tools that are left out. */
const MAX_NAMES = 3;

/** Which tools models don't get, in one sentence; undefined for none. */
export function leftOutNote(leftOut: readonly LeftOutTool[]): string | undefined {
  const [first] = leftOut;
  if (first === undefined) return undefined;
  const names = leftOut.slice(0, MAX_NAMES).map(({ name }) => toolTitle(name));
  const more = leftOut.length > MAX_NAMES ? ', …' : '';
  return `${formatPlural(leftOut.length, 'tool')} of MCP servers can't be offered to models (${names.join(', ')}${more}): ${first.why}. includeTools and excludeTools in mcp.json choose.`;
}
