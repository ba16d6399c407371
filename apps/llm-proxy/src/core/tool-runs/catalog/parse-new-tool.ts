import type { ServerTool } from '@codelab/bus';
import { ApiError } from '@codelab/llm';
import { findSchemaFault, isCanonicalTool, isJsonObject, TOOLS, codelabVocabulary } from '@codelab/tools';

/** What every provider takes as a tool's name, so that no name has to be changed on the way to a model. */
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
/** Models see an IDE's own tools under such names. */
const OF_CLIENTS = 'client__';
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

/**
 * Reads the body of `POST /v1/tools`. Throws `ApiError` (`invalid_request`) that names the field.
 * @param checkUrl throws an error in words for a URL that can't be reached from here
 */
export function parseNewTool(body: unknown, checkUrl: (url: string) => void): ServerTool {
  if (!isJsonObject(body)) throw wrong('body', 'must be a JSON object');
  const { name, description, inputSchema, url, headers, tags, timeout_ms: timeoutMs = DEFAULT_TIMEOUT_MS, method = 'POST' } = body;
  if (typeof name !== 'string' || !NAME.test(name)) throw wrong('name', 'must be 1 to 64 characters of A-Z, a-z, 0-9, _ and -');
  if (isCanonicalTool(name) || BUILT_IN.has(name)) throw wrong('name', `must not be that of a built-in tool: ${name}`);
  if (name.toLowerCase().startsWith(OF_CLIENTS)) throw wrong('name', `must not begin with ${OF_CLIENTS}, as tools of IDEs do`);
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
    url: readUrl(url, checkUrl),
    headers: readHeaders(headers),
    tags: readTags(tags),
  };
  if (Buffer.byteLength(JSON.stringify(tool)) > MAX_TOOL_BYTES) throw wrong('body', `must not be over ${String(MAX_TOOL_BYTES)} bytes`);
  return tool;
}

function readUrl(url: unknown, checkUrl: (url: string) => void): string {
  if (typeof url !== 'string' || url.length > MAX_TEXT) throw wrong('url', 'must be an http or https URL');
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

function readTags(tags: unknown): readonly string[] {
  if (tags === undefined || tags === null) return [];
  const isTag = (tag: unknown): tag is string => typeof tag === 'string' && /^[^,\p{Cc}]{1,64}$/u.test(tag) && tag.trim() === tag;
  if (!Array.isArray(tags) || tags.length > MAX_TAGS || !tags.every(isTag)) {
    throw wrong('tags', `must be a list of at most ${String(MAX_TAGS)} texts without commas`);
  }
  return [...new Set(tags)];
}

const wrong = (param: string, rule: string): ApiError => new ApiError('invalid_request', `${param} ${rule}.`, { param });
