import { MAX_PUBLISHED_BYTES, MAX_PUBLISHED_TOOLS, type PublishedTool } from '@codelab/bus';
import type { ServerTool } from './server-tool.js';

/** Where tools come from that the proxies are told of, whoever may see them. */
export interface PublishedSource {
  /** The same array while nothing changed; cheap, for it is asked each second. */
  published(): readonly PublishedTool[];
}

/** What only the source of a tool knows of it. */
type OfSource = Pick<PublishedTool, 'source' | 'tags' | 'uri' | 'owners' | 'tenants'>;

/** What anybody may read of a tool who may call it. */
export const toPublished = (
  { definition }: Pick<ServerTool, 'definition'>,
  { source, tags, uri, owners, tenants }: OfSource,
): PublishedTool => {
  const { name, description, parameters, access } = definition;
  return { name, description, inputSchema: parameters, source, access, tags, uri, owners, tenants };
};

/** As many of the tools, from the first on, as one runtime publishes. */
export function withinBounds(tools: readonly PublishedTool[]): readonly PublishedTool[] {
  let bytes = 2;
  const kept: PublishedTool[] = [];
  for (const tool of tools) {
    const size = Buffer.byteLength(JSON.stringify(tool)) + 1;
    if (kept.length >= MAX_PUBLISHED_TOOLS || bytes + size > MAX_PUBLISHED_BYTES) continue;
    bytes += size;
    kept.push(tool);
  }
  return kept;
}
