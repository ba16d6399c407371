import { isMcpServerName, isShallowYaml, MAX_MCP_SERVER_NAME } from '@codelab/tools';
import { isMap, isScalar, LineCounter, parseDocument, type Document, type Node, type YAMLParseError } from 'yaml';
import type { VariableLookup } from './expand-variables.js';
import type { McpConfigProblem, McpServerConfig, ParsedMcpConfig } from './mcp-server-config.js';
import { readServer } from './read-server.js';

/** Larger than any configuration that a person wrote. */
const MAX_CHARACTERS = 65_536;
const MAX_SERVERS = 200;

export interface ParseOptions {
  /** The file as problems name it. */
  readonly file: string;
  /** Where `${NAME}` comes from. Absent: variables stay in the texts as they are, for somebody to read. */
  readonly lookup?: VariableLookup;
}

/**
 * Reads servers from the de-facto format of `mcp.json`: `{"mcpServers": {name: {command, args, env, cwd} | {type: "http" | "sse", url,
 * headers}}}`, also under `servers`, as JSON (comments and a comma at the end may be there) or YAML. A server with a mistake is left out and
 * the mistake is said, with its line and field; the other servers stay. Never throws.
 */
export function parseMcpConfig(text: string, options: ParseOptions): ParsedMcpConfig {
  const { file } = options;
  const whole = (line: number, message: string, field = ''): ParsedMcpConfig => ({
    servers: [],
    problems: [{ file, line, field, message }],
  });
  if (text.length > MAX_CHARACTERS) return whole(1, 'The file has more than 65,536 characters.');
  if (text.trim() === '') return { servers: [], problems: [] };
  const plain = withoutComments(text);
  if (!isShallowYaml(plain)) return whole(1, 'The file is nested too deep.');
  const lines = new LineCounter();
  // each error made pretty would quote its line, which may be the whole file
  const document = parseDocument(plain, { lineCounter: lines, prettyErrors: false, uniqueKeys: true, merge: false, schema: 'core' });
  const [error] = document.errors;
  if (error !== undefined) return whole(lines.linePos(error.pos[0]).line, `The file is not valid JSON: ${whatIsWrong(text, error)}`);
  if (!isMap(document.contents)) return whole(1, 'The file should be an object with "mcpServers" in it.');
  const key = ['mcpServers', 'mcp_servers', 'servers'].find((name) => document.has(name));
  if (key === undefined) return whole(1, 'The file has no "mcpServers".', 'mcpServers');
  const lineOf = (path: readonly (string | number)[]): number => lineOfPath(document, lines, path);
  const entries = document.get(key, true);
  if (!isMap(entries)) return whole(lineOf([key]), 'It should be an object with a name for each server.', key);
  if (entries.items.length > MAX_SERVERS) return whole(lineOf([key]), `It names more than ${MAX_SERVERS} servers.`, key);

  const servers: McpServerConfig[] = [];
  const problems: McpConfigProblem[] = [];
  const names = new Set<string>();
  for (const { key: nameNode } of entries.items) {
    const name = String(isScalar(nameNode) ? nameNode.value : nameNode);
    const found: McpConfigProblem[] = [];
    const say = (path: readonly (string | number)[], message: string): void => {
      const at = [key, name, ...path];
      found.push({ file, line: lineOf(at), server: name, field: fieldOf(at), message });
    };
    if (!isMcpServerName(name)) {
      say([], `A server has a name of 1 to ${MAX_MCP_SERVER_NAME} letters, digits, dashes and single underscores between them.`);
    } else if (names.has(name.toLowerCase())) say([], 'Another server has this name but for upper and lower case.');
    names.add(name.toLowerCase());
    const value = plainValue(document, [key, name]);
    const server =
      value === ALIAS ? say([], 'It has an alias (*name), which is not taken here.') : readServer(name, value, { ...options, say });
    if (server !== undefined && found.length === 0) servers.push(server);
    problems.push(...found);
  }
  return { servers, problems };
}

/** What stands for a value with aliases in it. */
const ALIAS = Symbol('alias');

function plainValue(document: Document, path: readonly string[]): unknown {
  try {
    return (document.getIn(path, true) as Node | undefined)?.toJS(document, { maxAliasCount: 0 }) as unknown;
  } catch {
    return ALIAS; // nothing else is refused
  }
}

/** Comments of `//` and `/* … *\/` become blanks, outside of texts; lines stay where they are. */
const withoutComments = (text: string): string =>
  text
    .replace(/^\uFEFF/, '')
    .replace(/"(?:[^"\\\n]|\\[^\n])*(?:"|\\?(?=\n)|\\?$)|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, (part) =>
      part.startsWith('"') ? part : part.replace(/[^\n]/g, ' '),
    );

/** The parser speaks of YAML: to who wrote braces it would say nothing. It repeats no value. */
function whatIsWrong(text: string, { code, message }: YAMLParseError): string {
  if (!text.trimStart().startsWith('{') || code === 'DUPLICATE_KEY') return firstLine(message);
  return 'a comma, a quote or a bracket is missing or one too many, here or just before.';
}

const firstLine = (message: string): string => `${message.split('\n', 1)[0]!.slice(0, 200)}.`;

/** The line of the value at a path, or of what holds it where there is none. */
function lineOfPath(document: Document, lines: LineCounter, path: readonly (string | number)[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true) as Node | undefined;
    if (node?.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}

const fieldOf = (path: readonly (string | number)[]): string =>
  path.map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${part}`)).join('');
