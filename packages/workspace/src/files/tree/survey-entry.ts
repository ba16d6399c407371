import type { Operand } from '@codelab/protocol';
import { createHash } from 'node:crypto';
import { MAX_DELETED_ENTRIES, MAX_OPERAND_BYTES, MAX_OPERANDS } from '../../limits.js';
import { TreeWalk, type WalkedEntry } from '../../search/walk-tree.js';
import { ToolFailure } from '../../tool-failure.js';
import { sha256Of } from '../paths/read-regular-file.js';
import type { Tree } from './tree.js';

/** What an entry holds, for an approver and for what an approval is bound to. */
export interface Survey {
  /** Files and links. */
  readonly files: number;
  readonly directories: number;
  readonly bytes: number;
  /** There are more, which were not looked at. */
  readonly more: boolean;
  /** The first paths. */
  readonly shown: readonly string[];
  /** Each file with its content; of many or large files one for all of them: a hash of names, sizes and times. */
  readonly operands: readonly Operand[];
}

/** Paths that a preview shows. */
const SHOWN = 50;

interface Seen {
  readonly entry: WalkedEntry;
  readonly line: string;
  readonly bytes: number;
}

const look = (entry: WalkedEntry): Seen => {
  const found = entry.directory.stats(entry.name);
  const [size, time] = entry.kind === 'directory' ? ['', ''] : [String(found?.size ?? ''), String(found?.stats.mtimeNs ?? '')];
  return { entry, line: [entry.path, entry.kind, size, time].join('\0'), bytes: entry.kind === 'file' ? (found?.size ?? 0) : 0 };
};

const operandOf = ({ name, path, directory, kind }: WalkedEntry): Operand | undefined => {
  const content = kind === 'file' ? directory.readFile(name, MAX_OPERAND_BYTES) : Buffer.from(directory.readLink(name) ?? '');
  return content && { path, sha256: sha256Of(content) };
};

/**
 * Looks at everything in a directory, up to the limit.
 *
 * @throws ToolFailure `INVALID_PATH` if a path in it is too long for any tool
 */
export async function surveyDirectory(tree: Tree, signal: AbortSignal): Promise<Survey> {
  const path = tree.segments.join('/');
  const room = (): number => MAX_DELETED_ENTRIES + 1;
  const options = { path, recursive: true, everything: true, rules: undefined, wants: () => true, room, signal };
  const walk = new TreeWalk(tree.way.at(-1)!, options);
  const hash = createHash('sha256');
  let [files, directories, bytes, more] = [0, 0, 0, false];
  const shown: string[] = [];
  const operands: (Operand | undefined)[] = [];
  for await (const entry of walk.entries()) {
    more = files + directories >= MAX_DELETED_ENTRIES;
    if (more) break;
    const seen = look(entry);
    hash.update(`${seen.line}\n`);
    bytes += seen.bytes;
    if (entry.kind === 'directory') directories += 1;
    else {
      files += 1;
      if (shown.length < SHOWN) shown.push(entry.path);
      if (files <= MAX_OPERANDS && bytes <= MAX_OPERAND_BYTES) operands.push(operandOf(entry));
    }
  }
  if (walk.tooDeep) throw new ToolFailure('INVALID_PATH', `${path} has a path in it that is longer than the 255 characters of a tool.`);
  const each = operands.filter((operand) => operand !== undefined);
  const all = !more && each.length === files && files > 0;
  return { files, directories, bytes, more, shown, operands: all ? each : [{ path, sha256: hash.digest('hex') }] };
}
