import { fileKind, readYamlFile, YamlError, type PlacedProblem, type ReadFile } from '../read-yaml-file.js';
import type { FileWords } from '../tell-problem.js';
import { checkEntries, type ReadVariable } from './check-entries.js';
import type { ToolsFile } from './tools-file.js';
import { TOOLS_FILE_SCHEMA } from './tools-file.schema.js';

/** What stands outside every entry and can't be read: nobody knows what was meant, so the file counts for nothing. A sentence each, with its line. */
export class ToolsFileError extends Error {
  override readonly name = 'ToolsFileError';

  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

/** A tools file with those of its entries that are right. */
export interface ParsedToolsFile {
  readonly file: ToolsFile;
  /** What is wrong with the others, which are left out: `line 12: mcp_servers.docs.url is missing: write a text.` It repeats no value. */
  readonly problems: readonly string[];
}

export const NO_TOOLS_FILE: ToolsFile = { mcp_servers: {}, tools: {}, secrets: {} };

const WORDS: FileWords = {
  hints: {
    url: 'a URL that begins with http:// or https:// and holds no user, password or fragment',
    token_url: 'a URL that begins with http:// or https:// and holds no user, password or fragment',
    env: 'the name of an environment variable in capitals; the secret itself never stands in this file',
    token_env: 'the name of an environment variable in capitals; the token itself never stands in this file',
    client_secret_env: 'the name of an environment variable in capitals; the secret itself never stands in this file',
    api_key_env: 'the name of an environment variable in capitals; the key itself never stands in this file',
    hosts: 'a host such as api.example.com or api.example.com:8443, or *.example.com for all below one',
    owners: 'tenant/name, tenant/* or *',
  },
  names: {
    mcp_servers: 'names of servers are of letters, digits, - and single _, at most 32',
    tools: 'names of tools are of letters, digits, _, . and -, at most 64',
    secrets: 'names of secrets are of letters, digits and _, at most 64',
  },
  keysBelong: 'put the key into an environment variable and refer to it as ${env:NAME} in headers, or name it with token_env',
};

const KIND = fileKind(TOOLS_FILE_SCHEMA, WORDS);

/**
 * Reads `codelab.tools.yaml` from its text. An entry that is wrong is left out, by itself; where the wrong is in no entry nothing is read. Throws
 * `ToolsFileError`.
 */
export function parseToolsFile(text: string, readVariable: ReadVariable): ParsedToolsFile {
  const read = readOrThrow(text);
  const { value, problems, place } = read;
  const whole = problems.filter(({ keys }) => entryOf(keys) === undefined);
  if (whole.length > 0) throw new ToolsFileError(whole.map(tellPlaced));
  const shaped = without({ ...NO_TOOLS_FILE, ...(value as Partial<ToolsFile>) }, problems);
  const told = [...problems];
  // A secret that is wrong takes those with it that refer to it: what is left is checked until nothing goes.
  let file = shaped;
  for (let found = checkEntries(file, readVariable); found.length > 0; found = checkEntries(file, readVariable)) {
    const placed = found.map(place);
    told.push(...placed);
    file = without(file, placed);
  }
  return { file, problems: told.toSorted((a, b) => a.line - b.line).map(tellPlaced) };
}

function readOrThrow(text: string): ReadFile {
  try {
    return readYamlFile(text, KIND);
  } catch (error) {
    if (error instanceof YamlError) throw new ToolsFileError(error.problems);
    throw error;
  }
}

const tellPlaced = ({ line, sentence }: PlacedProblem): string => `line ${String(line)}: ${sentence}`;

/** The entry that a problem is in; `undefined`: in none. */
function entryOf([section, name]: readonly string[]): readonly string[] | undefined {
  if (section === 'search') return [section];
  return name === undefined ? undefined : [section!, name];
}

function without(file: ToolsFile, problems: readonly PlacedProblem[]): ToolsFile {
  const off = new Set(problems.map(({ keys }) => JSON.stringify(entryOf(keys))));
  const keep = <T>(section: string, entries: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
    Object.fromEntries(Object.entries(entries).filter(([name]) => !off.has(JSON.stringify([section, name]))));
  const { mcp_servers, tools, secrets, search } = file;
  return {
    mcp_servers: keep('mcp_servers', mcp_servers),
    tools: keep('tools', tools),
    secrets: keep('secrets', secrets),
    ...(search && !off.has('["search"]') && { search }),
  };
}
