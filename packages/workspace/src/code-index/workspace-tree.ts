import type { SourceFile, SourceReader, SourceTree } from '@codelab/code-index';
import { findSecretReason } from '@codelab/tools';
import { openTree, type Tree } from '../files/tree/tree.js';
import type { WorkspaceRoot } from '../files/paths/workspace-root.js';
import { CandidateReader } from '../search/candidate-reader.js';
import { TreeWalk } from '../search/walk-tree.js';

/** A larger file is data, in bytes. */
const MAX_BYTES = 1024 * 1024;
/** Files by their names that are no text; most of a tree's bytes, and none of them need be read. */
const NO_TEXT =
  /\.(?:png|jpe?g|gif|webp|ico|bmp|tiff?|avif|pdf|zip|gz|tgz|bz2|xz|zst|7z|rar|jar|war|class|o|a|so|dylib|dll|exe|wasm|node|pyc|woff2?|ttf|otf|eot|mp[34]|m4[av]|mov|avi|mkv|webm|wav|ogg|flac|db|sqlite3?|bin|dat|parquet|npy|pt|onnx|safetensors|gguf)$/i;
// oxlint-disable-next-line no-control-regex -- paths with control characters are what is left out
const UNUSUAL = /[\u0000-\u001f\u007f\\]/;

const microseconds = (nanoseconds: bigint): number => Number(nanoseconds / 1_000n);
const isWanted = (path: string): boolean => !NO_TEXT.test(path) && !UNUSUAL.test(path) && findSecretReason(path) === undefined;

/** The files of a workspace as an index sees them: by the rules that searches and listings go by, without what asks before it is read. */
export class WorkspaceTree implements SourceTree {
  constructor(private readonly root: WorkspaceRoot) {}

  async *walk(signal: AbortSignal): AsyncGenerator<SourceFile> {
    const top = await this.root.open();
    const tree = openTree(this.root, top, []);
    try {
      const walk = new TreeWalk(tree.way[0]!, {
        path: '',
        recursive: true,
        rules: { above: undefined },
        wants: ({ path, kind }) => kind === 'file' && isWanted(path),
        room: () => Number.POSITIVE_INFINITY,
        signal,
      });
      for await (const { kind, path, name, directory } of walk.entries()) {
        const found = kind === 'file' ? directory.stats(name) : undefined;
        if (found?.kind === 'file' && found.size <= MAX_BYTES) yield { path, size: found.size, mtime: microseconds(found.stats.mtimeNs) };
      }
    } finally {
      tree.close();
      await top.close();
    }
  }

  async read<T>(use: (reader: SourceReader) => Promise<T>): Promise<T> {
    const top = await this.root.open();
    let tree: Tree | undefined;
    let files: CandidateReader | undefined;
    try {
      tree = openTree(this.root, top, []);
      const reader = (files = new CandidateReader(tree.way[0]!, { path: '', rules: { above: undefined } }));
      return await use({
        file: (path) => {
          const found = isWanted(path) ? reader.read(path) : undefined;
          if (found === undefined || found.content.length > MAX_BYTES) return undefined;
          return { content: found.content, size: found.content.length, mtime: microseconds(found.mtimeNs) };
        },
      });
    } finally {
      files?.close();
      tree?.close();
      await top.close();
    }
  }
}
