import { LIMITS } from '@codelab/protocol';
import type { ArgumentsOf, ResultOf } from '@codelab/tools';
import { createHash } from 'node:crypto';
import { decodeText } from '../decode-text.js';
import { toWorkspacePath, type WorkspacePath } from '../files/paths/parse-path.js';
import { sha256Of } from '../files/paths/read-regular-file.js';
import { isLogPath } from '../logs/command-logs.js';
import { MAX_SCANNED_BYTES } from '../limits.js';
import { LineRange } from '../reading/line-range.js';
import { ToolFailure } from '../tool-failure.js';
import type { CallContext, Executor } from './executor.js';

type Answer = ResultOf<'read_file'>;

const notFound = ({ text }: WorkspacePath): ToolFailure => new ToolFailure('FILE_NOT_FOUND', `File not found: ${text}`);

/** Bytes at the beginning of a file by which a binary one is known; all that is answered is looked at anyway. */
const HEAD_BYTES = 8_000;

/** Lines of a file of any size: all of it is looked through, for its hash and the number of its lines, and what is wanted stays. */
async function readLines(
  path: WorkspacePath,
  { offset = 1, limit = Infinity }: { readonly offset?: number | undefined; readonly limit?: number | undefined },
  { files, signal }: Pick<CallContext, 'files' | 'signal'>,
): Promise<Answer> {
  const [range, hash] = [new LineRange({ offset, limit, maxBytes: LIMITS.MAX_FILE_BYTES }), createHash('sha256')];
  let head: Buffer | undefined;
  const found = await files.scan(path, { limit: MAX_SCANNED_BYTES, signal }, (piece) => {
    head ??= piece.subarray(0, HEAD_BYTES);
    hash.update(piece);
    range.add(piece);
  });
  if (found === undefined) throw notFound(path);
  if (head?.includes(0)) decodeText(head, path.text);
  const { content, total, truncated, cut } = range.end();
  return {
    ...{ content: decodeText(content, path.text), encoding: 'utf-8', sha256: hash.digest('hex'), lines_total: total, truncated },
    lines_cut: cut.length === 0 ? undefined : cut,
  };
}

/** The same of a log, which is in memory: its text is as a model may read it, so the hash is of that. */
function readLog(text: string, { path, offset, limit }: ArgumentsOf<'read_file'>): Answer {
  const bytes = Buffer.from(text);
  if (offset === undefined && limit === undefined && bytes.length > LIMITS.MAX_FILE_BYTES)
    throw new ToolFailure('FILE_TOO_LARGE', `${path} has ${String(bytes.length)} bytes; read it by lines, with "offset" and "limit".`);
  const range = new LineRange({ offset: offset ?? 1, limit: limit ?? Infinity, maxBytes: LIMITS.MAX_FILE_BYTES });
  range.add(bytes);
  const { content, total, truncated, cut } = range.end();
  return {
    ...{ content: content.toString('utf8'), encoding: 'utf-8', sha256: sha256Of(bytes), lines_total: total, truncated },
    lines_cut: cut.length === 0 ? undefined : cut,
  };
}

/** Reads one text file, or lines of one (docs/specification/tools.md#read_file). */
export const readFile: Executor<'read_file'> = {
  async run({ path: given, offset, limit }, context) {
    if (isLogPath(given)) return readLog(await context.logs.read(given, context.sessionId), { path: given, offset, limit });
    const path = toWorkspacePath(given);
    if (offset !== undefined || limit !== undefined) return readLines(path, { offset, limit }, context);
    const state = await context.files.read(path, LIMITS.MAX_FILE_BYTES);
    if (state === undefined) throw notFound(path);
    const content = decodeText(state.content, path.text);
    return { content, encoding: 'utf-8', sha256: state.sha256, lines_total: countLines(content), truncated: false };
  },
};

const countLines = (content: string): number => {
  let [count, at] = [content === '' || content.endsWith('\n') ? 0 : 1, content.indexOf('\n')];
  for (; at !== -1; at = content.indexOf('\n', at + 1)) count += 1;
  return count;
};
