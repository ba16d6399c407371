import type { ServerTool } from '@codelab/bus';
import { ApiError } from '@codelab/llm';
import {
  codelabVocabulary,
  findSchemaFault,
  fitsAddress,
  isCanonicalTool,
  isJsonObject,
  type JsonObject,
  readMcpToolUri,
  secretsIn,
  TOOLS,
} from '@codelab/tools';

/** What every provider takes as a tool's name, so that no name has to be changed on the way to a model. */
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
/** Models see an IDE's own tools under such names, and those of MCP servers. */
const OF_OTHERS = ['client__', 'mcp__'];
/** The names that models see the built-in tools under: `git_diff`. */
const BUILT_IN: ReadonlySet<string> = new Set(TOOLS.map(({ name }) => codelabVocabulary.toModelName(name)));

/** RFC 9110: a field name is a token; its value is visible ASCII and blanks here. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;
const HEADER_VALUE = /^[\x20-\x7e]{0,8192}$/;
/** Belong to the connection and to us. */
const OUR_HEADERS: ReadonlySet<string> = new Set([
  ...['host', 'content-length', 'content-type', 'content-encoding', 'transfer-encoding', 'connection', 'keep-alive', 'upgrade'],
  ...['te', 'trailer', 'expect', 'proxy-authorization', 'proxy-connection', 'accept-encoding'],
]);

const MAX_HEADERS = 32;
const MAX_TAGS = 32;
const MAX_TEXT = 4_096;
/** What is stored of one tool, in bytes. */
const MAX_TOOL_BYTES = 64 * 1024;
const DEFAULT_TIMEOUT_MS = 30_000;
/** As long as the runtime waits for a tool that is not its own. */
export const MAX_TIMEOUT_MS = 60_000;

/** What a new tool is judged by beside itself. */
export interface NewToolChecks {
  /** Throws an error in words for a URL that can't be reached from here. */
  readonly checkUrl: (url: string) => void;
  /** Whether the operator lists an MCP server of this name. */
  readonly hasMcpServer: (name: string) => boolean;
  /** The hosts, some with a port, that a secret of the operator may be sent to; `undefined`: none of this name is listed. */
  readonly hostsOfSecret: (name: string) => readonly string[] | undefined;
}

/**
 * Reads the body of `POST /v1/tools`. `uri` and `input_schema` are other names of `url` and `inputSchema`. Throws `ApiError` (`invalid_request`)
 * that names the field.
 */
export function parseNewTool(body: unknown, checks: NewToolChecks): ServerTool {
  if (!isJsonObject(body)) throw wrong('body', 'must be a JSON object');
  const { name, description, headers, tags, timeout_ms: timeoutMs = DEFAULT_TIMEOUT_MS, method = 'POST' } = body;
  const { uri, url = uri, input_schema: schema, inputSchema = schema } = body;
  if (typeof name !== 'string' || !NAME.test(name)) throw wrong('name', 'must be 1 to 64 characters of A-Z, a-z, 0-9, _ and -');
  if (isCanonicalTool(name) || BUILT_IN.has(name)) throw wrong('name', `must not be that of a built-in tool: ${name}`);
  const others = OF_OTHERS.find((prefix) => name.toLowerCase().startsWith(prefix));
  if (others !== undefined) throw wrong('name', `must not begin with ${others}, as tools of IDEs and MCP servers do`);
  if (typeof description !== 'string' || description.trim() === '' || description.length > MAX_TEXT) {
    throw wrong('description', `must be a text of 1 to ${String(MAX_TEXT)} characters: models read it`);
  }
  if (!isJsonObject(inputSchema))
    throw wrong('inputSchema', 'must be a JSON Schema of the arguments, such as {"type": "object", "properties": {…}}');
  const fault = inputSchema['type'] === 'object' ? findSchemaFault(inputSchema) : 'must have the type "object"';
  if (fault !== undefined) throw wrong('inputSchema', `is no JSON Schema of arguments: ${fault}`);
  if (method !== 'POST') throw wrong('method', 'can only be POST');
  if (!Number.isInteger(timeoutMs) || (timeoutMs as number) < 1 || (timeoutMs as number) > MAX_TIMEOUT_MS) {
    throw wrong('timeout_ms', `must be a whole number of milliseconds from 1 to ${String(MAX_TIMEOUT_MS)}`);
  }
  const tool: ServerTool = {
    ...{ name, description, inputSchema, timeoutMs: timeoutMs as number },
    url: readUrl(url, checks),
    headers: readHeaders(headers),
    tags: readTags(tags),
    ...readIdempotency(body),
  };
  checkHeaders(tool, checks);
  if (Buffer.byteLength(JSON.stringify(tool)) > MAX_TOOL_BYTES) throw wrong('body', `must not be over ${String(MAX_TOOL_BYTES)} bytes`);
  return tool;
}

function readUrl(url: unknown, { checkUrl, hasMcpServer }: NewToolChecks): string {
  if (typeof url !== 'string' || url.length > MAX_TEXT) throw wrong('url', 'must be an http or https URL, or mcp://server/tool');
  if (/^mcp:/i.test(url)) {
    const target = readMcpToolUri(url);
    if (target === undefined) throw wrong('url', 'must be of the form mcp://server/tool, both percent-encoded');
    if (hasMcpServer(target.server)) return url;
    throw wrong('url', `names the MCP server ${target.server}, which the operator does not list in codelab.tools.yaml`);
  }
  try {
    checkUrl(url);
  } catch (error) {
    throw wrong('url', `can't be used: ${(error as Error).message}`);
  }
  return url;
}

function readHeaders(headers: unknown): Readonly<Record<string, string>> {
  if (headers === undefined || headers === null) return {};
  if (!isJsonObject(headers) || Object.keys(headers).length > MAX_HEADERS) {
    throw wrong('headers', `must be an object of at most ${String(MAX_HEADERS)} names and texts`);
  }
  const entries = Object.entries(headers).map(([name, value]): [string, string] => {
    if (!HEADER_NAME.test(name) || OUR_HEADERS.has(name.toLowerCase()))
      throw wrong('headers', `can't have ${JSON.stringify(name.slice(0, 64))}`);
    if (typeof value !== 'string' || !HEADER_VALUE.test(value)) throw wrong(`headers.${name}`, 'must be a text of printable ASCII');
    return [name.toLowerCase(), value];
  });
  return Object.fromEntries(entries);
}

/** A secret by reference must be one that the operator lists, for the host that it would go to; tools of MCP servers have no headers of their own. */
function checkHeaders({ url, headers }: ServerTool, { hostsOfSecret }: NewToolChecks): void {
  const isMcp = readMcpToolUri(url) !== undefined;
  for (const [header, value] of Object.entries(headers)) {
    if (isMcp) throw wrong('headers', 'can only be given with an http or https URL');
    for (const name of secretsIn(value)) {
      const hosts = hostsOfSecret(name);
      if (hosts === undefined)
        throw wrong(`headers.${header}`, `names the secret ${name}, which the operator does not list in codelab.tools.yaml`);
      if (!hosts.some((pattern) => fitsAddress(pattern.toLowerCase(), new URL(url))))
        throw wrong(`headers.${header}`, `names the secret ${name}, which may not be sent to ${new URL(url).host}`);
    }
  }
}

/** What only reads may be repeated. Neither word lowers what is asked of a human. */
function readIdempotency({ readonly: isReadonly = null, idempotency = null }: JsonObject): Pick<ServerTool, 'idempotency'> {
  if (isReadonly !== null && typeof isReadonly !== 'boolean') throw wrong('readonly', 'must be true or false');
  if (idempotency !== null && idempotency !== 'safe' && idempotency !== 'unsafe') throw wrong('idempotency', 'must be "safe" or "unsafe"');
  const known = idempotency ?? (isReadonly === true ? 'safe' : undefined);
  return known === undefined ? {} : { idempotency: known };
}

function readTags(tags: unknown): readonly string[] {
  if (tags === undefined || tags === null) return [];
  const isTag = (tag: unknown): tag is string => typeof tag === 'string' && /^[^,\p{Cc}]{1,64}$/u.test(tag) && tag.trim() === tag;
  if (!Array.isArray(tags) || tags.length > MAX_TAGS || !tags.every(isTag)) {
    throw wrong('tags', `must be a list of at most ${String(MAX_TAGS)} texts without commas`);
  }
  return [...new Set(tags)];
}

const wrong = (param: string, rule: string): ApiError => new ApiError('invalid_request', `${param} ${rule}.`, { param });
