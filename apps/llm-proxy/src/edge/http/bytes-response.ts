import type { ServerResponse } from 'node:http';
import type { ByteWriter } from '../../core/serve/route.js';

/** An answer whose bytes come from elsewhere, on a response of Node's: nothing of it is held but what the socket has not taken yet. */
export class BytesResponse implements ByteWriter {
  private isOver = false;
  private hasBegun = false;
  private drained: Promise<void> | undefined;

  constructor(
    private readonly response: ServerResponse,
    private readonly options: { readonly headers: () => Readonly<Record<string, string>>; readonly onBegin: () => void },
  ) {
    response.once('close', () => (this.isOver = true));
  }

  get begun(): boolean {
    return this.hasBegun;
  }

  write(bytes: string | Uint8Array): Promise<void> | undefined {
    if (this.isOver || bytes.length === 0) return undefined;
    this.begin();
    this.response.write(bytes);
    return this.response.writableNeedDrain ? (this.drained ??= this.untilDrained()) : undefined;
  }

  end(): void {
    if (this.isOver) return;
    this.begin();
    this.isOver = true;
    this.response.end();
  }

  breakOff(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.response.destroy();
  }

  private begin(): void {
    if (this.hasBegun) return;
    this.response.writeHead(200, { 'content-type': 'application/json', ...this.options.headers() });
    this.hasBegun = true; // not before: a head that can't be written leaves room for an error
    this.options.onBegin();
  }

  private untilDrained(): Promise<void> {
    return new Promise<void>((resolve) => {
      const done = () => {
        this.drained = undefined;
        this.response.off('drain', done).off('close', done);
        resolve();
      };
      this.response.on('drain', done).on('close', done);
    });
  }
}
