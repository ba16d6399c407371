import { McpError, type McpServers } from '@codelab/mcp';
import type { Attachment } from '@codelab/protocol';
import { createHash } from 'node:crypto';
import { CommandError } from '../../core/command-error.js';
import { pathOfResource } from '../../core/mcp/prompt-message.js';
import { findResourceMentions, type ResourceMention } from '../../core/mcp/resource-mention.js';

/** What a shell gets for files that can't be attached. */
const USAGE = 2;

/** Resources that are offered at once, and how long a server is asked for the values of a template. */
const MAX_OFFERED = 50;
const COMPLETE_MS = 2_000;

/** Reading one may take so long. */
const READ_MS = 30_000;

/** The resources of MCP servers as mentions and attachments: `@server:uri`. */
export class McpResources {
  constructor(private readonly servers: McpServers) {}

  /** What a mention that begins so can become: resources that are listed, then values of templates. */
  async complete(begun: string): Promise<readonly string[]> {
    const servers = this.servers
      .servers()
      .filter(({ status, resources, resourceTemplates }) => status.kind === 'ready' && resources + resourceTemplates > 0);
    const at = begun.indexOf(':');
    if (at < 0) return servers.map(({ name }) => `${name}:`).filter((name) => begun !== '' && name.startsWith(begun));
    const [server, uri] = [begun.slice(0, at), begun.slice(at + 1)];
    if (!servers.some(({ name }) => name === server)) return [];
    const listed = this.servers.resources().filter((one) => one.server === server && one.uri.startsWith(uri));
    const filled = await this.fillTemplates(server, uri);
    return [...new Set([...listed.map((one) => one.uri), ...filled])].slice(0, MAX_OFFERED).map((one) => `${server}:${one}`);
  }

  /** Reads what a message mentions. Throws `CommandError` with what to do. */
  async attachments(content: string): Promise<readonly Attachment[]> {
    const names = new Set(this.servers.servers().map(({ name }) => name));
    const isKnown = ({ server, uri }: ResourceMention): boolean =>
      this.servers.resources().some((one) => one.server === server && one.uri === uri);
    const attachments: Attachment[] = [];
    for (const mention of findResourceMentions(content, names, isKnown)) attachments.push(...(await this.read(mention)));
    return attachments;
  }

  private async read({ server, uri }: ResourceMention): Promise<readonly Attachment[]> {
    const { contents } = await this.servers.readResource(server, uri, { signal: AbortSignal.timeout(READ_MS) }).catch((error: unknown) => {
      if (!(error instanceof McpError)) throw error;
      throw new CommandError(`Nothing was sent. @${server}:${uri} can't be read: ${error.message}`, USAGE, { cause: error });
    });
    return contents.map((part): Attachment => {
      const path = pathOfResource(server, part.uri);
      if ('text' in part) return { path, content: part.text, sha256: createHash('sha256').update(part.text).digest('hex') };
      if (part.mimeType === undefined || !IMAGES.has(part.mimeType))
        throw new CommandError(
          `Nothing was sent. @${server}:${uri} is ${part.mimeType ?? 'binary'}: a message carries texts and images.`,
          USAGE,
        );
      const sha256 = createHash('sha256').update(Buffer.from(part.blob, 'base64')).digest('hex');
      return { path, content: part.blob, sha256, media_type: part.mimeType as Attachment['media_type'] };
    });
  }

  /** The values of the one placeholder that is being typed, where the server completes them. */
  private async fillTemplates(server: string, uri: string): Promise<readonly string[]> {
    const templates = this.servers.resourceTemplates().filter((one) => one.server === server);
    const filled = await Promise.all(
      templates.map(async ({ uriTemplate }) => {
        const [, before = '', name = '', after = ''] = /^([^{]*)\{([^{}]+)\}([^{]*)$/.exec(uriTemplate) ?? [];
        if (name === '' || (!uri.startsWith(before) && !before.startsWith(uri))) return [];
        const value = uri.slice(before.length);
        const completion = { ref: { type: 'ref/resource', uri: uriTemplate }, argument: { name, value } } as const;
        const { values } = await this.servers.complete(server, completion, { timeoutMs: COMPLETE_MS }).catch(() => ({ values: [] })); // it completes nothing
        return values.length === 0 ? [before] : values.map((each) => `${before}${each}${after}`);
      }),
    );
    return filled.flat().filter((each) => each.startsWith(uri) && each !== uri);
  }
}

const IMAGES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
