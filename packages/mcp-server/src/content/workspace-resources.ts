import { isJsonObject, maskSecrets, type JsonObject } from '@codelab/tools';
import type { Workspace } from '@codelab/workspace';
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type ReadResourceResult,
  type Resource,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server';
import { randomUUID } from 'node:crypto';
import { basename, extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Verdict } from '../calls/judge-call.js';
import type { Masking } from '../calls/to-result.js';

/** Files that are listed in all, and in one page; what is beyond them is found with tools and by the template. */
const MAX_LISTED = 2_000;
const PAGE = 200;

/** Paths that a completion offers: as many as MCP takes. */
const MAX_COMPLETIONS = 100;

/** Types that clients show by; the others are plain text. */
const TYPES: Readonly<Record<string, string>> = {
  '.md': 'text/markdown',
  '.html': 'text/html',
  '.css': 'text/css',
  '.csv': 'text/csv',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.ts': 'text/typescript',
  '.json': 'application/json',
  '.xml': 'application/xml',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.pdf': 'application/pdf',
};

const typeOf = (path: string): string => TYPES[extname(path).toLowerCase()] ?? 'text/plain';
const isMedia = (type: string): boolean => type.startsWith('image/') || type === 'application/pdf';

/** What the files of a workspace need to be resources. */
export interface ResourcePorts {
  readonly workspace: Pick<Workspace, 'run' | 'root' | 'attachments'>;
  /** Judges the reading of a file like a call of the tool. */
  readonly judge: (toolName: string, args: JsonObject) => Promise<Verdict>;
  readonly masking: () => Promise<Masking>;
}

/** The files of a workspace as `file://` resources: the same checks, policy and masks as for the tools that read (W1, H1, L1). */
export class WorkspaceResources {
  /** Of the workspace itself, with a slash at its end. */
  private readonly base: string;

  constructor(private readonly ports: ResourcePorts) {
    this.base = `${pathToFileURL(ports.workspace.root).href.replace(/\/$/, '')}/`;
  }

  get templates(): ResourceTemplateType[] {
    const description = 'A file of the workspace, by its path in it. Text in UTF-8, images and PDF files.';
    return [{ name: 'file', title: 'File of the workspace', description, uriTemplate: `${this.base}{+path}` }];
  }

  /** A page of the files. */
  async list(cursor: string | undefined, signal: AbortSignal): Promise<{ resources: Resource[]; nextCursor?: string }> {
    const from = cursor === undefined ? 0 : Number(cursor);
    if (!Number.isInteger(from) || from < 0 || from > MAX_LISTED)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'unknown cursor');
    const args = { path: '.', recursive: true, limit: MAX_LISTED };
    const result = await this.run('list_files', args, signal, this.base);
    const entries = (Array.isArray(result['entries']) ? result['entries'] : []).filter(isJsonObject).filter(({ type }) => type === 'file');
    const resources = entries.slice(from, from + PAGE).map(({ path, size }): Resource => {
      const name = path as string;
      return { uri: this.uriOf(name), name, title: basename(name), mimeType: typeOf(name), ...(typeof size === 'number' ? { size } : {}) };
    });
    return entries.length > from + PAGE ? { resources, nextCursor: String(from + PAGE) } : { resources };
  }

  /** The content of one. */
  async read(uri: string, signal: AbortSignal): Promise<ReadResourceResult> {
    const path = this.pathOf(uri);
    const mimeType = typeOf(path);
    if (isMedia(mimeType)) {
      const { data, media_type: type } = await this.run('media.read', { path }, signal, uri);
      return { contents: [{ uri, mimeType: type as string, blob: data as string }] };
    }
    const { content } = await this.run('read_file', { path }, signal, uri);
    const { allowed, known } = await this.ports.masking();
    return { contents: [{ uri, mimeType, text: maskSecrets(content as string, allowed, known).text }] };
  }

  /** Paths that the beginning of one can become. */
  async complete(prefix: string, signal: AbortSignal): Promise<string[]> {
    return [...(await this.ports.workspace.attachments.complete(prefix, { limit: MAX_COMPLETIONS, signal }))];
  }

  private uriOf(path: string): string {
    return this.base + path.split('/').map(encodeURIComponent).join('/');
  }

  /** The path that a URI names: below the workspace, or there is no such resource. */
  private pathOf(uri: string): string {
    const href = URL.canParse(uri) ? new URL(uri).href : '';
    if (!href.startsWith(this.base)) throw new ResourceNotFoundError(uri, `There is no such file in this workspace: ${uri.slice(0, 500)}`);
    try {
      return decodeURIComponent(href.slice(this.base.length).replace(/[?#].*$/, ''));
    } catch {
      throw new ResourceNotFoundError(uri);
    }
  }

  private async run(toolName: string, args: JsonObject, signal: AbortSignal, uri: string): Promise<JsonObject> {
    const verdict = await this.ports.judge(toolName, args);
    if (verdict.kind !== 'run') {
      const why = verdict.kind === 'ask' ? `needs approval (${verdict.reason}): read it with a tool, which asks` : verdict.reason;
      throw new ProtocolError(ProtocolErrorCode.InvalidRequest, `Reading ${uri.slice(0, 500)} ${why}.`);
    }
    const outcome = await this.ports.workspace.run(toolName, args, { signal, callId: `mcp_${randomUUID()}`, additions: true });
    if (outcome.ok) return outcome.result;
    const { code, message } = outcome.error;
    if (code === 'FILE_NOT_FOUND' || code === 'PATH_OUTSIDE_WORKSPACE' || code === 'INVALID_PATH')
      throw new ResourceNotFoundError(uri, message);
    throw new ProtocolError(ProtocolErrorCode.InvalidRequest, `${code}: ${message}`);
  }
}
