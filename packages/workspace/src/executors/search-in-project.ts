import { DEFAULT_MATCHES, type ArgumentsOf } from '@codelab/tools';
import type { CallContext, Executor } from './executor.js';
import { toWorkspacePath, type WorkspacePath } from '../files/paths/parse-path.js';
import { findProgram } from '../find-program.js';
import { inheritedEnvironment } from '../inherited-environment.js';
import { isLogPath } from '../logs/command-logs.js';
import { MAX_BATCH_BYTES, MAX_BATCH_FILES, MAX_SEARCHED_BYTES } from '../limits.js';
import { readFileFilter } from '../search/file-filter.js';
import type { Findings } from '../search/findings.js';
import { FoundFiles } from '../search/found-files.js';
import { FoundLines } from '../search/found-lines.js';
import type { LineMatcher } from '../search/line-matcher.js';
import { MultilineMatcher } from '../search/multiline-matcher.js';
import { PlainMatcher } from '../search/plain-matcher.js';
import { assertSearchable, type Query } from '../search/query.js';
import { RipgrepMatcher } from '../search/ripgrep-matcher.js';
import type { Ripgrep } from '../search/run-ripgrep.js';
import { searchTree } from '../search/search-tree.js';
import { toSearchedFile, type SearchedFile } from '../search/searched-file.js';
import { ToolFailure } from '../tool-failure.js';

const findRipgrep = async (root: string): Promise<Ripgrep | undefined> => {
  const environment = inheritedEnvironment(root);
  const program = await findProgram('rg', environment);
  return program === undefined ? undefined : { program, environment };
};

/** Matches files, several at once, until there is enough. */
const collect = async (files: AsyncIterable<SearchedFile>, matcher: LineMatcher, found: Findings): Promise<void> => {
  let [batch, bytes]: [SearchedFile[], number] = [[], 0];
  const match = async (): Promise<void> => {
    const contents = batch.map(({ content }) => content);
    const hits = contents.length === 0 ? [] : await matcher.find(contents, found.room);
    hits.forEach((each, index) => found.add(batch[index]!, each));
    [batch, bytes] = [[], 0];
  };
  for await (const file of files) {
    batch.push(file);
    bytes += file.content.length;
    if (batch.length >= MAX_BATCH_FILES || bytes >= MAX_BATCH_BYTES) await match();
    if (found.isDone) return;
  }
  await match();
};

async function* oneFile(path: WorkspacePath, { files }: Pick<CallContext, 'files'>): AsyncGenerator<SearchedFile> {
  const state = await files.read(path, MAX_SEARCHED_BYTES);
  const file = state && toSearchedFile(path.text, state.content, Number(state.fingerprint.mtimeNs / 1_000_000n));
  if (file !== undefined) yield file;
}

const findingsOf = (args: ArgumentsOf<'search_in_project'>): Findings => {
  const { mode, limit = DEFAULT_MATCHES, offset = 0, context_lines: around = 0, before = around, after = around } = args;
  const page = { limit, offset };
  if (mode === 'files' || mode === 'counts') return new FoundFiles(page, mode === 'files');
  return new FoundLines({ ...page, before, after, counted: mode !== undefined });
};

/**
 * Searches file contents (docs/specification/tools.md#search_in_project). ripgrep, where it is installed, says which files are worth reading and which of
 * their lines match; the files themselves are read by us, so that the answer holds nothing that another program was led to (W1).
 */
export const searchInProject: Executor<'search_in_project'> = {
  async run(args, { root, files, signal, logs, sessionId }) {
    const filter = readFileFilter(args);
    const { regex = false, case_sensitive: caseSensitive = false, multiline } = args;
    const query: Query = { text: args.query, regex, caseSensitive, multiline };
    assertSearchable(query);
    const ripgrep = await findRipgrep(root);
    const found = findingsOf(args);
    const plain = (): LineMatcher => (multiline ? new MultilineMatcher(query, signal) : new PlainMatcher(query, signal));
    const matcherIn = (cwd: string): LineMatcher =>
      ripgrep === undefined || multiline ? plain() : new RipgrepMatcher(ripgrep, query, { cwd, signal, otherwise: plain });
    if (args.path !== undefined && isLogPath(args.path)) {
      const log = toSearchedFile(args.path, Buffer.from(await logs.read(args.path, sessionId)));
      if (log !== undefined) found.add(log, (await matcherIn('/').find([log.content], found.room))[0]!);
      return found.answer;
    }
    const path = toWorkspacePath(args.path ?? '.');
    const isDirectory = await files.isDirectory(path);
    if (isDirectory === undefined) throw new ToolFailure('FILE_NOT_FOUND', `File not found: ${path.text}`);
    const unsaved = isDirectory ? await files.unsaved(MAX_SEARCHED_BYTES) : new Map<string, Buffer>();
    if (isDirectory)
      await files.tree(path, (tree) => {
        const includeIgnored = args.include_ignored ?? false;
        const search = { query, filter, names: args.pattern, includeIgnored, named: path.text, unsaved };
        return collect(searchTree(tree, { ...search, ripgrep, signal }), matcherIn(tree.way[0]!.base), found);
      });
    else if (filter(path.text, path.segments.at(-1)!)) await collect(oneFile(path, { files }), matcherIn('/'), found);
    return found.answer;
  },
};
