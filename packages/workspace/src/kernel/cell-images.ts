import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pruneFiles } from '../logs/prune-files.js';
import type { CellImage } from './cell-part.js';

/** How long images are kept, and how much of them in a workspace. */
const KEPT = { ms: 7 * 24 * 60 * 60 * 1000, bytes: 100 * 1024 * 1024 };

/** The images that cells have shown, as files in the client's own data, which a person can open. */
export class CellImages {
  constructor(private readonly directory: string) {}

  /** Removes what is too old or too much. Never rejects. */
  prune(): Promise<void> {
    return pruneFiles(this.directory, KEPT);
  }

  /** Keeps an image and says so: `[image 640×480 png, saved to /home/…/call_1-1.png]`. One that can't be kept is only named. */
  keep(callId: string, number: number, type: string, { data, width, height }: CellImage): string {
    const kind = type.slice('image/'.length);
    const about = [...(width === undefined || height === undefined ? [] : [`${String(width)}×${String(height)}`]), kind].join(' ');
    const name = /^[A-Za-z0-9_-]{1,64}$/.test(callId) ? callId : createHash('sha256').update(callId).digest('hex').slice(0, 32);
    const path = join(this.directory, `${name}-${String(number)}.${kind}`);
    try {
      mkdirSync(this.directory, { recursive: true, mode: 0o700 });
      writeFileSync(path, Buffer.from(data, 'base64'), { mode: 0o600 });
      return `[image ${about}, saved to ${path}]`;
    } catch {
      return `[image ${about}]`; // the disk is full: the model has it all the same
    }
  }
}
