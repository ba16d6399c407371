import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { shadowGit, ShadowFailure, withShadowGit, type ShadowPlace } from './shadow-git.js';

/** A file in a tree: its object, and whether it may be executed. */
export interface TreeFile {
  readonly oid: string;
  readonly kind: 'file' | 'program' | 'other';
}

/** One path that is not the same in two trees. */
export interface TreeChange {
  /** From the top of the shadow repository. */
  readonly path: string;
  readonly before: TreeFile | undefined;
  readonly after: TreeFile | undefined;
}

const KINDS: Readonly<Record<string, TreeFile['kind']>> = { '100644': 'file', '100755': 'program' };

const toFile = (mode: string, oid: string): TreeFile | undefined => (mode === '000000' ? undefined : { oid, kind: KINDS[mode] ?? 'other' });

/** What is not the same in two trees, by path. */
export async function listTreeChanges(place: ShadowPlace, before: string, after: string): Promise<readonly TreeChange[]> {
  if (before === after) return [];
  const text = await shadowGit(place, { args: ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', before, after] });
  const fields = text.split('\0');
  return fields.flatMap((field, at) => {
    const found = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) [A-Z]/.exec(field);
    const [, oldMode, newMode, oldId, newId] = found ?? [];
    if (oldMode === undefined || newMode === undefined || oldId === undefined || newId === undefined || at % 2 === 1) return [];
    return [{ path: fields[at + 1] ?? '', before: toFile(oldMode, oldId), after: toFile(newMode, newId) }];
  });
}

/** Cuts what `git cat-file --batch` prints into contents. */
async function* contentsOf(stdout: Readable): AsyncGenerator<Buffer | undefined> {
  let rest = Buffer.alloc(0);
  let wanted: number | undefined;
  for await (const chunk of stdout) {
    const pieces: Buffer[] = [rest, chunk as Buffer]; // no encoding is set
    rest = Buffer.concat(pieces);
    for (;;) {
      if (wanted === undefined) {
        const end = rest.indexOf(0x0a);
        if (end === -1) break;
        const size = / blob (\d+)$/.exec(rest.toString('utf8', 0, end))?.[1];
        rest = rest.subarray(end + 1);
        if (size === undefined) yield undefined;
        else wanted = Number(size);
      } else {
        if (rest.length <= wanted) break;
        yield rest.subarray(0, wanted);
        rest = rest.subarray(wanted + 1);
        wanted = undefined;
      }
    }
  }
}

const isObject = (oid: string, content: Buffer): boolean =>
  createHash('sha1')
    .update(`blob ${String(content.length)}\0`)
    .update(content)
    .digest('hex') === oid;

/**
 * Hands the contents of objects to `take`, one after the other. Part of them may come out of the workspace's own repository, which anybody
 * can have written: content that is not what its name says is left out.
 */
export async function readObjects(
  place: ShadowPlace,
  oids: readonly string[],
  take: (oid: string, content: Buffer) => Promise<void>,
): Promise<void> {
  if (oids.length === 0) return;
  await withShadowGit(place, { args: ['cat-file', '--batch'], input: oids.map((oid) => `${oid}\n`).join('') }, async (stdout) => {
    let at = 0;
    for await (const content of contentsOf(stdout)) {
      const oid = oids[at];
      at += 1;
      if (oid === undefined) throw new ShadowFailure('git cat-file printed more than it was asked for');
      if (content !== undefined && isObject(oid, content)) await take(oid, content);
    }
  });
}
