/** What a display has in it, by media type; text, or base64 of an image. */
export type MimeBundle = Readonly<Record<string, string>>;

/** One line that `bridge.py` writes. `id` is the number of the cell that it belongs to. */
export type BridgeEvent =
  | { readonly event: 'ready'; readonly pid: number; readonly name: string; readonly python: string }
  /** This Python has no such module, so another one is tried. */
  | { readonly event: 'missing'; readonly module: string; readonly python: string }
  | { readonly event: 'failed'; readonly message: string }
  | CellEvent
  | { readonly event: 'done'; readonly id: number; readonly count: number | null }
  /** The kernel has ended: `code` is its exit code, or a signal's number below zero. */
  | { readonly event: 'died'; readonly id: number; readonly code: number | null };

/** What a cell brings while it runs. */
export type CellEvent =
  | { readonly event: 'stream'; readonly id: number; readonly name: 'stdout' | 'stderr'; readonly text: string }
  | {
      readonly event: 'display';
      readonly id: number;
      /** Later displays can replace this one by it. */
      readonly name: string | null;
      readonly update: boolean;
      readonly data: MimeBundle;
      /** Images that are left out, and how many bytes each has. */
      readonly large: Readonly<Record<string, number>>;
    }
  | { readonly event: 'clear'; readonly id: number; readonly wait: boolean }
  | { readonly event: 'error'; readonly id: number; readonly name: string; readonly value: string; readonly traceback: string };

/** Reads a line of the bridge; `undefined` for what is none. The bridge is ours, so its events have the shape that they say. */
export function readBridgeEvent(line: string): BridgeEvent | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && 'event' in value ? (value as BridgeEvent) : undefined;
  } catch {
    return undefined;
  }
}
