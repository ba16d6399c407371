import { LIMITS, type ForeignTool } from '@codelab/protocol';
import { isCanonicalTool } from '@codelab/tools';

/**
 * What is wrong with the tools that a client names, behind the name of its field; `undefined` if nothing is.
 * @param text the same as JSON text
 */
export function faultOfTools(tools: readonly (string | ForeignTool)[], text: string): string | undefined {
  const bytes = Buffer.byteLength(text);
  if (bytes > LIMITS.MAX_TOOLS_BYTES) {
    return `tools: the definitions take ${String(bytes)} bytes as JSON, at most ${String(LIMITS.MAX_TOOLS_BYTES)} are taken: shorten them or leave some out`;
  }
  const foreign = tools.find((tool) => typeof tool !== 'string' && isCanonicalTool(tool.name));
  return foreign === undefined
    ? undefined
    : 'tools: a definition has the name of a canonical tool; give it another name, or name the tool alone';
}
