import { constants } from 'node:fs';
import { mkdir, open, rename, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Where a line stands in its file, in bytes, without its newline. */
export interface LineSpan {
  readonly offset: number;
  readonly length: number;
}

const NEWLINE = 10;

/** Makes a new or renamed file in a directory survive a power cut. */
export const syncDirectory = async (path: string): Promise<void> => {
  const handle = await open(path, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/**
 * An append-only file of lines, for one writer that waits for each operation before the next. A line is there whole, or it is a torn one,
 * which no later line joins and which its reader has to skip.
 */
export class LineFile {
  /** The last line has no end: a crash or a full disk cut it. */
  private torn = false;

  private constructor(
    private readonly path: string,
    private handle: FileHandle,
    private end: number,
  ) {}

  /** Opens the file, made if it isn't there, and shows each line to `read`. */
  static async open(path: string, read: (line: string, span: LineSpan) => void): Promise<LineFile> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const handle = await open(path, 'a+', 0o600);
    try {
      const content = await handle.readFile();
      await syncDirectory(dirname(path));
      for (let from = 0; from < content.length;) {
        const found = content.indexOf(NEWLINE, from);
        const to = found === -1 ? content.length : found;
        read(content.toString('utf8', from, to), { offset: from, length: to - from });
        from = to + 1;
      }
      const file = new LineFile(path, handle, content.length);
      file.torn = content.length > 0 && content.at(-1) !== NEWLINE;
      return file;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Bytes of the file. */
  get size(): number {
    return this.end;
  }

  /** Adds a line. With `sync` it is on the disk when the promise resolves. */
  async append(line: string, options: { readonly sync: boolean }): Promise<LineSpan> {
    const prefix = this.torn ? '\n' : '';
    const bytes = Buffer.from(`${prefix}${line}\n`);
    const offset = this.end + prefix.length;
    this.torn = true;
    try {
      for (let done = 0; done < bytes.length;) done += (await this.handle.write(bytes, done)).bytesWritten;
      if (options.sync) await this.handle.datasync();
    } catch (error) {
      this.end = (await this.handle.stat()).size;
      throw error;
    }
    this.torn = false;
    this.end += bytes.length;
    return { offset, length: bytes.length - prefix.length - 1 };
  }

  async read({ offset, length }: LineSpan): Promise<string> {
    const buffer = Buffer.alloc(length);
    await this.handle.read(buffer, 0, length, offset);
    return buffer.toString('utf8');
  }

  /** Puts other lines in the place of all that are there, all at once or not at all. Spans of before no longer hold. */
  async replace(lines: readonly string[]): Promise<readonly LineSpan[]> {
    const draft = await open(`${this.path}.new`, 'w', 0o600);
    try {
      await draft.writeFile(lines.map((line) => `${line}\n`).join(''));
      await draft.datasync();
    } finally {
      await draft.close();
    }
    await rename(`${this.path}.new`, this.path);
    await syncDirectory(dirname(this.path));
    const old = this.handle;
    this.handle = await open(this.path, 'a+', 0o600);
    await old.close();
    this.torn = false;
    let offset = 0;
    const spans = lines.map((line) => {
      const span = { offset, length: Buffer.byteLength(line) };
      offset += span.length + 1;
      return span;
    });
    this.end = offset;
    return spans;
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}
