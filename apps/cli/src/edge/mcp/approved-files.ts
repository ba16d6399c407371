import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A file of a workspace, as it was read: what is approved is exactly this content. */
export interface ReadFile {
  /** In the workspace: `.mcp.json`. */
  readonly path: string;
  readonly text: string;
  readonly sha256: string;
}

/** What a human said of a file's content. */
export type FileVerdict = 'approved' | 'refused';

const recordOf = (dataDir: string, workspaceId: string): string => join(dataDir, 'mcp', 'approved', `${workspaceId}.json`);

/** The digest of a content. */
export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** What a human said of exactly this content in this workspace; `undefined`: nothing yet. A record that can't be understood says nothing. */
export async function verdictOn(dataDir: string, workspaceId: string, { path, sha256 }: ReadFile): Promise<FileVerdict | undefined> {
  const known = (await readRecord(recordOf(dataDir, workspaceId)))[path];
  if (known?.sha256 !== sha256) return undefined;
  return known.verdict === 'approved' || known.verdict === 'refused' ? known.verdict : undefined;
}

/** What a human said of another content of a file, before it became what it is. */
export interface EarlierContent {
  /** The latest that counts: an approval, whatever was refused after it. */
  readonly verdict: FileVerdict;
  /** What was approved; absent where only a refusal is known, and in records of older releases. */
  readonly text?: string;
}

/** What was said of the content before; `undefined`: a human sees this file for the first time, or as it was. */
export async function earlierContent(
  dataDir: string,
  workspaceId: string,
  { path, sha256 }: ReadFile,
): Promise<EarlierContent | undefined> {
  const known = (await readRecord(recordOf(dataDir, workspaceId)))[path];
  if (known == null) return undefined;
  if (typeof known.approved === 'string')
    return digestOf(known.approved) === sha256 ? undefined : { verdict: 'approved', text: known.approved };
  const { verdict } = known;
  return known.sha256 !== sha256 && (verdict === 'approved' || verdict === 'refused') ? { verdict } : undefined;
}

/** Keeps what a human said, and the content that was approved last. The record is theirs alone, outside of any workspace. */
export async function keepVerdict(
  dataDir: string,
  workspaceId: string,
  { path, sha256, text }: ReadFile,
  verdict: FileVerdict,
): Promise<void> {
  const record = recordOf(dataDir, workspaceId);
  await mkdir(dirname(record), { recursive: true, mode: 0o700 });
  const known = await readRecord(record);
  const approved = verdict === 'approved' ? text : known[path]?.approved;
  const next = { ...known, [path]: { sha256, verdict, approved } };
  const draft = `${record}.${randomUUID()}`;
  await writeFile(draft, `${JSON.stringify(next, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' });
  await rename(draft, record);
}

type FileRecord = Readonly<Record<string, { readonly sha256?: unknown; readonly verdict?: unknown; readonly approved?: unknown } | null>>;

async function readRecord(file: string): Promise<FileRecord> {
  const text = await readFile(file, 'utf8').catch(() => '{}'); // the first time there is none
  try {
    const record = JSON.parse(text) as unknown;
    return typeof record === 'object' && record !== null ? (record as FileRecord) : {};
  } catch {
    return {}; // cut off: everything is asked again
  }
}
