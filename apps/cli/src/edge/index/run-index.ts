import { maskSecrets } from '@codelab/tools';
import { CodeIndex, readAllowedSecrets, workspaceDataDir, type IndexStatus } from '@codelab/workspace';
import { join } from 'node:path';
import { CommandError } from '../../core/command-error.js';
import { sanitise } from '@codelab/tools/human';
import { readCliConfig } from '../config.js';
import { chooseWorkspace } from '../session/choose-workspace.js';
import { indexOptions } from './index-options.js';

export interface IndexCommandOptions {
  readonly workspace: string;
  readonly json?: boolean;
}

type Write = (text: string) => void;

/** A first build of a very large tree takes minutes. */
const BUILD_MS = 30 * 60_000;
const MEGABYTE = 1024 * 1024;

const withIndex = async <T>({ workspace }: IndexCommandOptions, use: (index: CodeIndex, dataDir: string) => Promise<T>): Promise<T> => {
  const config = readCliConfig();
  const { dataDir } = config;
  const { identity } = await chooseWorkspace(workspace, dataDir);
  const options = indexOptions(config);
  if (options === undefined)
    throw new CommandError('The index is turned off: take `index: off` out of config.yaml (`codelab config` shows where).', 2);
  const index = new CodeIndex(
    { root: identity.root, dataDir, directory: join(workspaceDataDir(dataDir, identity.root), 'index') },
    options,
  );
  try {
    return await use(index, dataDir);
  } catch (error) {
    throw error instanceof Error ? new CommandError(error.message, 1, { cause: error }) : error;
  } finally {
    await index.close();
  }
};

const tellStatus = ({ state, files, chunks, vectors, bytes, done, total, note }: IndexStatus): string =>
  [
    state === 'building' ? `being built: ${String(done)} of ${String(total)} files` : state === 'ready' ? 'up to date' : 'not up to date',
    `${String(files)} files, ${String(chunks)} places${vectors > 0 ? `, ${String(vectors)} vectors` : ''}, ${(bytes / MEGABYTE).toFixed(1)} MB`,
    ...(note === undefined ? [] : [note]),
  ].join('\n');

const write = (status: IndexStatus, { json }: IndexCommandOptions, out: Write): void =>
  out(`${json === true ? JSON.stringify(status) : tellStatus(status)}\n`);

/** `codelab index status`: how far the index of a workspace is; brings it up to date, if that takes no longer than a moment. */
export const runIndexStatus = (options: IndexCommandOptions, out: Write): Promise<void> =>
  withIndex(options, async (index) => write(await index.update(), options, out));

/** `codelab index rebuild`: throws it away and builds it again. */
export const runIndexRebuild = (options: IndexCommandOptions, out: Write): Promise<void> =>
  withIndex(options, async (index) => {
    await index.rebuild();
    write(await index.update(BUILD_MS), options, out);
  });

/** `codelab index search`: what a model would be shown, without secrets. */
export const runIndexSearch = (query: string, options: IndexCommandOptions & { readonly limit: number }, out: Write): Promise<void> =>
  withIndex(options, async (index, dataDir) => {
    await index.update(BUILD_MS);
    const { hits, note } = await index.search(query, options.limit);
    const allowed = await readAllowedSecrets(dataDir).catch(() => new Set<string>());
    const masked = hits.map((hit) => ({ ...hit, text: maskSecrets(hit.text, allowed).text }));
    if (options.json === true) return out(`${JSON.stringify({ hits: masked, note })}\n`);
    for (const { path, start_line: start, end_line: end, text } of masked)
      out(`${sanitise(path)}:${String(start)}-${String(end)}\n${sanitise(text).replace(/^/gm, '  ')}\n\n`);
    if (masked.length === 0) out('No places found.\n');
    if (note !== undefined) out(`${note}\n`);
  });
