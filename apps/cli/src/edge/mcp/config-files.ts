import { parseMcpConfig, type McpConfigProblem, type McpServerConfig } from '@codelab/mcp';
import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { digestOf, verdictOn, type ReadFile } from './approved-files.js';

/** The files of a workspace that may name servers; of two servers with one name the one of the earlier file counts. */
export const WORKSPACE_FILES = ['.codelab/mcp.json', '.mcp.json'] as const;

/** A configuration is a few lines for each server. */
const MAX_BYTES = 1024 * 1024;

/** A server, and the file that names it. */
export interface NamedServer {
  readonly config: McpServerConfig;
  /** `user`: the person's own file. */
  readonly scope: 'user' | 'project';
  readonly file: string;
}

/** What the files say, as of now. */
export interface McpConfiguration {
  /** Those that may be started. */
  readonly servers: readonly NamedServer[];
  /** Why others are off. */
  readonly problems: readonly McpConfigProblem[];
  /** Servers that have no place, each with the reason: a sentence. */
  readonly notes: readonly string[];
  /** Files of the workspace whose content nobody has approved. `refused`: somebody has refused exactly it. */
  readonly waiting: readonly (ReadFile & { readonly refused: boolean })[];
}

/** Where configurations are looked for. */
export interface ConfigPlace {
  readonly configDir: string;
  readonly dataDir: string;
  readonly workspace: { readonly id: string; readonly root: string };
}

/** The person's own file. */
export const userFile = ({ configDir }: Pick<ConfigPlace, 'configDir'>): string => join(configDir, 'mcp.json');

/** Reads all of them. A file of the workspace counts only if a human approved exactly its content. */
export async function readConfiguration(place: ConfigPlace, lookup: (name: string) => string | undefined): Promise<McpConfiguration> {
  const own = userFile(place);
  const sources: { readonly path: string; readonly scope: NamedServer['scope']; readonly text: string }[] = [];
  const text = await readText(own, false);
  if (text !== undefined) sources.push({ path: own, scope: 'user', text });
  const waiting: (ReadFile & { refused: boolean })[] = [];
  for (const file of await readWorkspaceFiles(place.workspace.root)) {
    const verdict = await verdictOn(place.dataDir, place.workspace.id, file);
    if (verdict === 'approved') sources.push({ path: file.path, scope: 'project', text: file.text });
    else waiting.push({ ...file, refused: verdict === 'refused' });
  }
  const servers: NamedServer[] = [];
  const problems: McpConfigProblem[] = [];
  const notes: string[] = [];
  for (const { path, scope, text: content } of sources) {
    const parsed = parseMcpConfig(content, { file: path, lookup });
    problems.push(...parsed.problems);
    const shown = new Set(parseMcpConfig(content, { file: path }).servers.map(({ name }) => name));
    for (const config of parsed.servers) {
      if (scope === 'project' && !shown.has(config.name)) continue; // nobody saw it when the file was approved
      const earlier = servers.find((one) => one.config.name === config.name);
      if (earlier === undefined) servers.push({ config, scope, file: path });
      else notes.push(`The server ${config.name} of ${path} is left out: that of ${earlier.file} has the same name.`);
    }
  }
  return { servers, problems, notes, waiting };
}

/** The files of a workspace that name servers. A link is none: what is approved is the content that is read. */
export async function readWorkspaceFiles(root: string): Promise<readonly ReadFile[]> {
  const files: ReadFile[] = [];
  for (const path of WORKSPACE_FILES) {
    const text = await readText(join(root, path), true);
    if (text !== undefined) files.push({ path, text, sha256: digestOf(text) });
  }
  return files;
}

async function readText(path: string, isForeign: boolean): Promise<string | undefined> {
  const found = await lstat(path).catch(() => undefined); // most people have none
  if (found === undefined || (isForeign && !found.isFile()) || found.size > MAX_BYTES) return undefined;
  return readFile(path, 'utf8').catch(() => undefined); // gone meanwhile, or not theirs to read
}
