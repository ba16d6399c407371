/** Which services write keys of a kind. */
type Writer = 'gateway' | 'agent-runtime' | 'llm-proxy' | 'all';

/** How long a key lives. `ttl`: Redis removes it. `without`: it has none, for this reason; then `KeyKind.atMost` says what bounds it. */
export type KeyLife = { readonly ttl: string; readonly without?: never } | { readonly ttl?: string; readonly without: string };

/** A kind of keys, or of channels: what it holds, who writes it, how long it lives and how large it gets. The builders of `keys.ts` use its `key`. */
export interface KeyKind {
  /** `{sid}` is the inner name of a session; what stands in `<…>` is another name for each key. The braces are the hash tag. */
  readonly key: string;
  readonly type: 'hash' | 'stream' | 'list' | 'string' | 'set' | 'zset' | 'channel' | 'BullMQ';
  readonly holds: string;
  readonly writers: readonly Writer[];
  readonly life: KeyLife;
  /** What bounds one key, or the number of keys. */
  readonly atMost: string;
}

/** A key of a kind: its `<…>`, and `{sid}`, in their order by `names`. */
export function fillKey({ key }: KeyKind, ...names: readonly string[]): string {
  let place = 0;
  return key.replaceAll(/<[\w ]+>/g, () => names[place++] ?? '');
}

/** Matches every key of a kind. `namespace`: what stands before them. */
export function matchKey({ key }: KeyKind, namespace = ''): RegExp {
  const pattern = key
    .replaceAll(/[.*+?^$()|[\]\\{}]/g, '\\$&')
    .replace('sid', '[a-z2-7]{26}')
    .replaceAll(/<[\w ]+>/g, '[^{}]+')
    .replace('\\*', '.*');
  return new RegExp(`^${namespace}${pattern}$`);
}
