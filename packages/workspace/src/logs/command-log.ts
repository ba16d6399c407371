import { closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { withoutCutEnd, withoutCutStart } from '../reading/cut-characters.js';

/** Output of less is in the result whole, and needs no log. */
const MIN_BYTES = 16 * 1024;

/** Half of what a log holds at most, in bytes: the first half of the output is kept, and the last. */
const HALF_BYTES = 8 * 1024 * 1024;

/**
 * The whole output of one command, both streams as they came, in a file. It is begun once there is enough; of an output that is too long the
 * middle is left out. Whatever goes wrong with the file, the command goes on, and there is no log.
 */
export class CommandLog {
  private early: Buffer[] = [];
  private total = 0;
  private file: number | undefined;
  /** Bytes of the file that is written now. */
  private written = 0;
  /** Files of the end of the output: the one before, and the one that is written. */
  private tails = 0;
  private failed = false;

  /** @param path where it will be; nothing is there yet */
  constructor(private readonly path: string) {}

  add(chunk: Buffer): void {
    this.total += chunk.length;
    if (this.failed) return;
    try {
      if (this.file !== undefined) this.write(chunk);
      else if (this.total <= MIN_BYTES) this.early.push(Buffer.from(chunk)); // a copy: the chunk may be part of more
      else this.begin([...this.early, chunk]);
    } catch {
      this.failed = true; // the disk is full
    }
  }

  /** Whether there is a log, now that the command has ended. */
  end(): boolean {
    try {
      if (this.file !== undefined) closeSync(this.file);
      if (this.tails > 0 && !this.failed) this.join();
    } catch {
      this.failed = true;
    }
    const gone = [...(this.tails > 0 ? [`${this.path}.new`, `${this.path}.old`] : []), ...(this.failed ? [this.path] : [])];
    for (const path of gone) remove(path);
    return this.file !== undefined && !this.failed;
  }

  private get limit(): number {
    return this.tails === 0 ? HALF_BYTES : HALF_BYTES / 2;
  }

  private begin(chunks: readonly Buffer[]): void {
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    this.file = openSync(this.path, 'wx', 0o600);
    this.early = [];
    for (const chunk of chunks) this.write(chunk);
  }

  private write(chunk: Buffer): void {
    for (let at = 0; at < chunk.length;) {
      if (this.written >= this.limit) this.next();
      const bytes = writeSync(this.file!, chunk, at, Math.min(chunk.length - at, this.limit - this.written));
      this.written += bytes;
      at += bytes;
    }
  }

  private next(): void {
    closeSync(this.file!);
    if (this.tails > 0) renameSync(`${this.path}.new`, `${this.path}.old`);
    this.file = openSync(`${this.path}.new`, 'w', 0o600);
    this.tails += 1;
    this.written = 0;
  }

  private join(): void {
    const whole = readFileSync(this.path);
    const tail = Buffer.concat([...(this.tails > 1 ? [readFileSync(`${this.path}.old`)] : []), readFileSync(`${this.path}.new`)]);
    const isWhole = this.total === whole.length + tail.length;
    const [head, last] = isWhole ? [whole, tail] : [withoutCutEnd(whole), withoutCutStart(tail)];
    const note = isWhole ? '' : `\n… ${String(this.total - head.length - last.length)} bytes left out …\n`;
    const file = openSync(this.path, 'w', 0o600);
    try {
      for (const part of [head, Buffer.from(note), last]) for (let at = 0; at < part.length;) at += writeSync(file, part, at);
    } finally {
      closeSync(file);
    }
  }
}

const remove = (path: string): void => {
  try {
    rmSync(path, { force: true });
  } catch {
    // nothing is there, not even its directory
  }
};
