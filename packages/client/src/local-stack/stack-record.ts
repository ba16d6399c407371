/** A gateway that answers. `ws` is where sessions live: `<ws>/{session_id}`. */
export interface GatewayInfo {
  readonly url: string;
  readonly ws: string;
  readonly pid: number;
}

export interface ServiceInfo {
  readonly url: string;
  readonly pid: number;
}

/** What `codelab up --json` prints, one line: a running stack. `redis.pid` is null for a Redis that isn't ours. */
export interface StackInfo {
  readonly gateways: readonly GatewayInfo[];
  readonly runtimes: readonly ServiceInfo[];
  readonly proxies: readonly ServiceInfo[];
  readonly redis: { readonly url: string; readonly pid: number | null };
  readonly token: string;
}

/** `<dataDir>/stack.json`: the running stack and the process that keeps it; where to hold it, if it stops when nobody does. */
export interface StackRecord extends StackInfo {
  readonly pid: number;
  readonly hold_port?: number;
  /** What it was started with, by name, as keyed digests; absent in the record of another release. */
  readonly provider_settings?: Readonly<Record<string, string>>;
}

/** The record in `text`, or nothing if it isn't one. */
export function parseStackRecord(text: string): StackRecord | undefined {
  try {
    const value = JSON.parse(text) as Partial<StackRecord> | null;
    const complete =
      typeof value?.pid === 'number' && typeof value.token === 'string' && Array.isArray(value.gateways) && value.gateways.length > 0;
    return complete ? (value as StackRecord) : undefined;
  } catch {
    return undefined; // half a file of another release: as good as none
  }
}
