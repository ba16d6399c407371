import { PROTOCOL_VERSIONS, type ForeignTool } from '@codelab/protocol';
import { findTool, isCanonicalTool, TOOLS } from '@codelab/tools';

const rankOf = (version: string): number => (PROTOCOL_VERSIONS as readonly string[]).indexOf(version);

/** The tools that a client written from the specification alone has: the six of version 1.0. */
export const SEED_TOOLS: ReadonlySet<string> = new Set(TOOLS.filter(({ since }) => since === '1.0').map(({ name }) => name));

/**
 * The tools that a client can be sent: those that it named and that its protocol version knows, and its own ones, none of which has the name
 * of a canonical tool.
 */
export function callableTools(declared: readonly (string | ForeignTool)[], protocolVersion: string): ReadonlySet<string> {
  const isKnown = (name: string): boolean => rankOf(findTool(name)?.since ?? '') <= rankOf(protocolVersion) && isCanonicalTool(name);
  return new Set(
    declared.flatMap((tool) => {
      const name = typeof tool === 'string' ? tool : tool.name;
      const callable = typeof tool === 'string' ? isKnown(name) : !isCanonicalTool(name);
      return callable ? [name] : [];
    }),
  );
}
