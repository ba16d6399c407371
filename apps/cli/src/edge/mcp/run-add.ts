import { parseMcpConfig } from '@codelab/mcp';
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CommandError } from '../../core/command-error.js';
import { addEntry, removeEntry, type ConfigEntry, type Edited } from '../../core/mcp/edit-config.js';
import { commandPlace, type ServerOptions } from './command-place.js';
import { userFile, type ConfigPlace } from './config-files.js';

/** Options of `codelab mcp add` and `remove`. */
export interface AddOptions extends ServerOptions {
  readonly scope: 'user' | 'project';
  readonly transport?: 'stdio' | 'http' | 'sse';
  readonly env?: readonly string[];
  readonly header?: readonly string[];
}

/** What a shell gets for words that make no server. */
const USAGE = 2;

/** Adds a server to a file. Nothing is started, and a file of the folder is approved by nobody that way. */
export async function addServer(name: string, words: readonly string[], options: AddOptions, out: NodeJS.WritableStream): Promise<void> {
  const entry = toEntry(words, options);
  const { problems } = parseMcpConfig(JSON.stringify({ mcpServers: { [name]: entry } }), { file: name });
  if (problems.length > 0) throw new CommandError(problems.map(({ message }) => message).join('\n'), USAGE);
  const place = await commandPlace(options);
  const file = fileOf(place, options);
  await rewrite(file, (text) => addEntry(text, name, entry));
  out.write(`${name} is in ${file}. codelab mcp test ${name} tries it.\n`);
  if ('command' in entry && words.length === 1) out.write(`It runs the program ${words[0]!}; a server at a URL begins with https://.\n`);
  if (options.scope === 'project') out.write('Files of a folder are off until a human has approved them: codelab mcp approve\n');
}

/** Takes a server out of a file. */
export async function removeServer(name: string, options: AddOptions, out: NodeJS.WritableStream): Promise<void> {
  const file = fileOf(await commandPlace(options), options);
  await rewrite(file, (text) => removeEntry(text, name));
  out.write(`${name} is out of ${file}.\n`);
}

const fileOf = (place: ConfigPlace, { scope }: AddOptions): string =>
  scope === 'user' ? userFile(place) : join(place.workspace.root, '.mcp.json');

function toEntry(words: readonly string[], { transport, env = [], header = [] }: AddOptions): ConfigEntry {
  const [first, ...args] = words;
  if (first === undefined) throw new CommandError('Say what the server is: its command line behind --, or its URL.', USAGE);
  const isUrl = /^https?:\/\//.test(first);
  const kind = transport ?? (isUrl && args.length === 0 ? 'http' : 'stdio');
  if (kind === 'stdio') {
    if (header.length > 0) throw new CommandError('--header is for servers at a URL; a program gets its settings by --env.', USAGE);
    return { command: first, ...(args.length > 0 ? { args } : {}), ...(env.length > 0 ? { env: pairs(env, '=', '--env') } : {}) };
  }
  if (!isUrl || args.length > 0)
    throw new CommandError(`A server of the transport ${kind} is one URL, such as https://example.com/mcp.`, USAGE);
  if (env.length > 0) throw new CommandError('--env is for servers that are a program; one at a URL gets --header.', USAGE);
  return { type: kind, url: first, ...(header.length > 0 ? { headers: pairs(header, ':', '--header') } : {}) };
}

function pairs(words: readonly string[], separator: '=' | ':', option: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    words.map((word) => {
      const at = word.indexOf(separator);
      if (at < 1) throw new CommandError(`${option} ${word} is no NAME${separator}VALUE.`, USAGE);
      return [word.slice(0, at).trim(), word.slice(at + 1).trim()];
    }),
  );
}

/** Writes a file anew, whole or not at all; one of the person's own is theirs alone to read, since it may hold keys. */
async function rewrite(file: string, change: (text: string | undefined) => Edited): Promise<void> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new CommandError(`${file} can't be read (${error.code ?? error.message}).`, 1, { cause: error });
  });
  const edited = change(text);
  if (!edited.ok) throw new CommandError(`${file} is not changed: ${edited.why}.`);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, edited.text, { mode: 0o600, flag: 'wx' });
  await rename(draft, file);
}
