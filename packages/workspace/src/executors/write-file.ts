import { LIMITS } from '@codelab/protocol';
import { explainMask, findMask, type ArgumentsOf } from '@codelab/tools';
import type { Executor, Surroundings } from './executor.js';
import { operandsOf } from '../files/content/check-operands.js';
import type { FileChange } from '../files/content/file-change.js';
import { toWorkspacePath } from '../files/paths/parse-path.js';
import { previewChange } from '../patch/preview-change.js';
import { ToolFailure } from '../tool-failure.js';

/** Permission bits of a new file before the umask. */
const NEW_FILE_MODE = 0o666;

const planWrite = async (args: ArgumentsOf<'write_file'>, { files }: Pick<Surroundings, 'files'>): Promise<FileChange> => {
  const path = toWorkspacePath(args.path);
  if (/\p{Surrogate}/u.test(args.content)) throw new ToolFailure('ENCODING_ERROR', `The content for ${path.text} is not valid Unicode.`);
  const mask = findMask(args.content);
  if (mask !== undefined) throw new ToolFailure('INVALID_ARGUMENTS', `${explainMask(path.text, mask)}.`);
  const content = Buffer.from(args.content);
  const limit = LIMITS.MAX_FILE_BYTES;
  if (content.length > limit)
    throw new ToolFailure(
      'FILE_TOO_LARGE',
      `The content for ${path.text} has ${String(content.length)} bytes; at most ${String(limit)} are allowed.`,
    );
  const before = await files.readForChange(path, 'follow');
  const { expected_sha256: expected } = args;
  if (expected !== undefined && (expected === 'none' ? '' : expected) !== (before?.sha256 ?? '')) {
    const found = before === undefined ? 'does not exist' : `has the SHA-256 ${before.sha256}`;
    const fault = expected === 'none' ? 'already exists' : `${found}, not the one expected`;
    throw new ToolFailure('CONFLICT', `${path.text} ${fault}; nothing was written.`);
  }
  return { path, before, after: { content, mode: before?.mode ?? NEW_FILE_MODE } };
};

/** Writes one whole file (docs/specification/tools.md#write_file). */
export const writeFile: Executor<'write_file'> = {
  async run(args, context) {
    const change = await planWrite(args, context);
    await context.commit({ changes: [change] }, 'follow');
    return { success: true, bytes_written: change.after!.content.length };
  },
  async preview(args, surroundings) {
    const change = await planWrite(args, surroundings);
    return { preview: previewChange(change), operands: operandsOf({ changes: [change] }) };
  },
};
