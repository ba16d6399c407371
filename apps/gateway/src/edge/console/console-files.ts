import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** How the bytes of a file can be sent. */
export type Encoding = 'br' | 'gzip' | 'identity';

/** A file of the console, in memory. */
export interface ConsoleFile {
  readonly type: string;
  readonly etag: string;
  /** Its name changes with its content: a browser may keep it for ever. */
  readonly isHashed: boolean;
  bytes(encoding: Encoding): Promise<Buffer>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

/** What gets smaller. */
const IS_TEXT = /^(?:text\/|application\/(?:json|manifest)|image\/svg)/;

/** What the build puts under a name with a hash. */
const HASHED = /^\/assets\/.+-[A-Za-z0-9_-]{8,}\.[a-z0-9]+$/;

const squeeze: Readonly<Record<Exclude<Encoding, 'identity'>, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
};

/**
 * The files of a folder by the paths under which they are asked for. They are read whole when the first is wanted, and again when `index.html` was
 * built anew; what isn't among them isn't there, whatever a path looks like.
 */
export class ConsoleFiles {
  private readMs = -1;
  private files: Promise<ReadonlyMap<string, ConsoleFile>> = Promise.resolve(new Map());

  constructor(private readonly folder: string) {}

  /** Whether the console is there at all. */
  get isBuilt(): boolean {
    return existsSync(join(this.folder, 'index.html'));
  }

  /** @param path of a URL, with its slash */
  async find(path: string): Promise<ConsoleFile | undefined> {
    const builtMs = statSync(join(this.folder, 'index.html')).mtimeMs;
    if (builtMs !== this.readMs) {
      this.readMs = builtMs;
      this.files = readFolder(this.folder).catch((error: unknown) => {
        this.readMs = -1; // it is being built: the next request looks again
        throw error;
      });
    }
    return (await this.files).get(path);
  }
}

async function readFolder(folder: string): Promise<ReadonlyMap<string, ConsoleFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    await Promise.all(
      paths.map(async (path) => {
        const name = `/${relative(folder, path).split(sep).join('/')}`;
        return [name, toFile(name, await readFile(path))] as const;
      }),
    ),
  );
}

function toFile(name: string, bytes: Buffer): ConsoleFile {
  const type = TYPES[extname(name)] ?? 'application/octet-stream';
  const squeezed = new Map<Encoding, Promise<Buffer>>();
  return {
    ...{ type, isHashed: HASHED.test(name), etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` },
    bytes: (encoding) => {
      if (encoding === 'identity' || !IS_TEXT.test(type)) return Promise.resolve(bytes);
      const known = squeezed.get(encoding) ?? squeeze[encoding](bytes);
      squeezed.set(encoding, known);
      return known;
    },
  };
}

/** Where the build puts the console, seen from the sources, from what is compiled and from the bundle of the gateway. */
export function findConsole(from = import.meta.url): string {
  const places = Array.from({ length: 5 }, (_, up) => fileURLToPath(new URL(`${'../'.repeat(up + 1)}console/dist`, from)));
  return places.find((place) => existsSync(join(place, 'index.html'))) ?? places[places.length - 1]!;
}
