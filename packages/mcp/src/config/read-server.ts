import { expandVariables, type VariableLookup } from './expand-variables.js';
import type { McpServerConfig, OAuthSettings, RemoteServer, StdioServer } from './mcp-server-config.js';

/** A place below the server. */
export type FieldPath = readonly (string | number)[];

export interface ReadContext {
  /** Absent: variables stay in the texts. */
  readonly lookup?: VariableLookup;
  /** Says what is wrong at a field of the server. */
  readonly say: (path: FieldPath, message: string) => void;
}

type Fields = Readonly<Record<string, unknown>>;

const FIELDS = new Set(
  [
    ['type', 'transport', 'command', 'args', 'env', 'cwd', 'url', 'serverUrl', 'httpUrl', 'headers', 'oauth', 'auth'],
    ['timeout', 'timeoutMs', 'disabled', 'enabled', 'includeTools', 'excludeTools', 'sampling', 'description', 'name'],
    ['alwaysAllow', 'autoApprove', 'trust', 'disabledTools', 'gallery', 'version'], // of other programs: known, and not used
  ].flat(),
);

/** The longest time that a call may be given, in milliseconds. */
const MAX_TIMEOUT_MS = 3_600_000;

/** Names of kinds in the wild. */
const KINDS: Readonly<Record<string, 'stdio' | 'http' | 'sse'>> = {
  stdio: 'stdio',
  http: 'http',
  'streamable-http': 'http',
  streamableHttp: 'http',
  streamable_http: 'http',
  sse: 'sse',
};

/** One server of a configuration; undefined, and said, where it can't be used. */
export function readServer(name: string, value: unknown, context: ReadContext): McpServerConfig | undefined {
  if (!isFields(value)) return void context.say([], 'A server is an object: {"command": …} or {"type": "http", "url": …}.');
  const read = new FieldReader(value, context);
  for (const field of Object.keys(value)) {
    if (!FIELDS.has(field)) context.say([field], `There is no field ${JSON.stringify(field.slice(0, 40))}.`);
  }
  const transport = readTransport(value, read, context);
  if (transport === undefined) return undefined;
  const timeoutMs = read.milliseconds('timeoutMs') ?? read.milliseconds('timeout');
  const includeTools = read.list('includeTools');
  const excludeTools = [...(read.list('excludeTools') ?? []), ...(read.list('disabledTools') ?? [])];
  const disabled = read.flag('disabled') ?? (read.flag('enabled') === false ? true : undefined);
  const sampling = read.flag('sampling');
  return {
    name,
    transport,
    timeoutMs,
    includeTools,
    ...(excludeTools.length > 0 && { excludeTools }),
    disabled,
    sampling,
  };
}

function readTransport(fields: Fields, read: FieldReader, { say }: ReadContext): StdioServer | RemoteServer | undefined {
  const urlField = ['url', 'serverUrl', 'httpUrl'].find((name) => fields[name] !== undefined);
  const typeField = fields['type'] === undefined && fields['transport'] !== undefined ? 'transport' : 'type';
  const type = fields[typeField];
  const kind = type === undefined ? (urlField === undefined ? 'stdio' : 'http') : typeof type === 'string' ? KINDS[type] : undefined;
  if (kind === undefined) return void say([typeField], 'The type is "stdio", "http" or "sse".');
  if (kind === 'stdio') {
    const command = read.text('command');
    const cwd = read.text('cwd');
    if (fields['command'] === undefined || command === '') say(['command'], 'A server needs a "command" to start, or a "url".');
    if (command === undefined) return undefined;
    if (urlField !== undefined) say([urlField], 'A server has a "command" or a "url", not both.');
    const program = { kind, command, args: read.list('args') ?? [], env: read.texts('env') } as const;
    return cwd === undefined ? program : { ...program, cwd };
  }
  if (fields['command'] !== undefined) say(['command'], 'A server has a "command" or a "url", not both.');
  const url = urlField === undefined ? undefined : read.text(urlField);
  if (urlField === undefined) say(['url'], `A server of the type "${kind}" needs a "url".`);
  if (url === undefined) return undefined;
  if (read.isExpanded && !isWebUrl(url))
    return void say([urlField ?? 'url'], 'It should be an address that begins with https:// or http://, without a password in it.');
  const oauth = readOAuth(fields, read, say);
  return { kind, url, headers: readHeaders(read, say), oauth };
}

function readHeaders(read: FieldReader, say: ReadContext['say']): Readonly<Record<string, string>> {
  const headers = read.texts('headers');
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) say(['headers', name], 'This is no name of a header.');
    // oxlint-disable-next-line no-control-regex -- what a header's value may not hold
    else if (read.isExpanded && /[\u0000-\u0008\u000a-\u001f\u007f]|[^\u0000-\u00ff]/.test(value))
      say(['headers', name], 'The value has characters that a header cannot hold.');
  }
  return headers;
}

function readOAuth(fields: Fields, read: FieldReader, say: ReadContext['say']): OAuthSettings | undefined {
  const field = fields['oauth'] === undefined ? 'auth' : 'oauth';
  const value = fields[field];
  if (value === undefined || value === true) return undefined;
  if (!isFields(value)) return void say([field], 'It is an object: {"clientId": …, "scope": …}.');
  const inner = read.inside(field, value);
  const clientId = inner.text('clientId') ?? inner.text('client_id');
  const clientSecret = inner.text('clientSecret') ?? inner.text('client_secret');
  const scope = inner.text('scope') ?? inner.list('scopes')?.join(' ');
  const redirectPort = inner.integer('redirectPort', 1, 65_535);
  return {
    clientId,
    clientSecret,
    scope,
    redirectPort,
  };
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

function isWebUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return (url.protocol === 'https:' || url.protocol === 'http:') && url.username === '' && url.password === '';
}

/** Reads fields of an object, and says what is wrong with them. */
class FieldReader {
  constructor(
    private readonly fields: Fields,
    private readonly context: ReadContext,
    private readonly path: FieldPath = [],
  ) {}

  get isExpanded(): boolean {
    return this.context.lookup !== undefined;
  }

  inside(field: string, fields: Fields): FieldReader {
    return new FieldReader(fields, this.context, [...this.path, field]);
  }

  text(field: string): string | undefined {
    const value = this.fields[field];
    return value === undefined || value === null ? undefined : this.expand(value, [field]);
  }

  list(field: string): readonly string[] | undefined {
    const value = this.fields[field];
    if (value === undefined || value === null) return undefined;
    if (!Array.isArray(value)) return this.say([field], 'It should be a list of texts.');
    return value.map((item, index) => this.expand(item, [field, index]) ?? '');
  }

  /** An object of texts; empty where there is none. */
  texts(field: string): Readonly<Record<string, string>> {
    const value = this.fields[field];
    if (value === undefined || value === null) return {};
    if (!isFields(value)) return this.say([field], 'It should be an object of texts.') ?? {};
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.expand(item, [field, name]) ?? '']));
  }

  flag(field: string): boolean | undefined {
    const value = this.fields[field];
    if (value === undefined || value === null || typeof value === 'boolean') return value ?? undefined;
    return this.say([field], 'It should be true or false.');
  }

  milliseconds(field: string): number | undefined {
    return this.integer(field, 1, MAX_TIMEOUT_MS);
  }

  integer(field: string, min: number, max: number): number | undefined {
    const value = this.fields[field];
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
    return this.say([field], `It should be a whole number from ${min} to ${max}.`);
  }

  private expand(value: unknown, path: FieldPath): string | undefined {
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    if (typeof value !== 'string') return this.say(path, 'It should be a text.');
    if (value.includes('\0')) return this.say(path, 'It has a zero character in it.');
    if (this.context.lookup === undefined) return value;
    const expanded = expandVariables(value, this.context.lookup);
    if (expanded.ok) return expanded.text;
    const names = expanded.missing.join(', ');
    return this.say(path, `The variable ${names} is not set: set it, or write \${${expanded.missing[0]}:-default}.`);
  }

  private say(path: FieldPath, message: string): undefined {
    this.context.say([...this.path, ...path], message);
  }
}
