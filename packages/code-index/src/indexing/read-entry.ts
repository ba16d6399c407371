import { createHash } from 'node:crypto';
import { chunkFile } from '../chunks/chunk-file.js';
import { isWorthIndexing } from '../chunks/is-worth-indexing.js';
import type { FileEntry } from '../store/index-store.js';
import { extractSymbols } from '../symbols/extract-symbols.js';
import { referencesIn } from '../text/identifiers.js';
import { toTokens } from '../text/tokens.js';

const NAME_TOKENS = 40;
const DOC_TOKENS = 300;
const BODY_TOKENS = 1_500;

export const hashOf = (content: Buffer): string => createHash('sha1').update(content).digest('base64').slice(0, 20);

/** What the index keeps of a file. One that is binary, generated or squeezed is known, so that it isn't read again, and has no chunks. */
export async function readEntry(
  path: string,
  { content, size, mtime }: { readonly content: Buffer; readonly size: number; readonly mtime: number },
): Promise<FileEntry> {
  const empty: FileEntry = { path, size, mtime, hash: hashOf(content), symbols: [], references: new Uint32Array(), chunks: [] };
  if (content.length === 0 || content.includes(0)) return empty;
  const text = content.toString('utf8').replace(/^\ufeff/, '');
  if (!isWorthIndexing(path, text)) return empty;
  const symbols = await extractSymbols(path, text);
  const lines = text.split('\n');
  const pathTokens = toTokens(path, NAME_TOKENS);
  const chunks = chunkFile(path, lines, symbols).map((chunk) => {
    const body = lines.slice(chunk.start - 1, chunk.end).join('\n');
    const tokens = [toTokens(chunk.name, NAME_TOKENS), pathTokens, toTokens(chunk.doc, DOC_TOKENS), toTokens(body, BODY_TOKENS)] as const;
    return { ...chunk, tokens };
  });
  return { ...empty, symbols, references: symbols.length === 0 ? empty.references : referencesIn(text), chunks };
}
