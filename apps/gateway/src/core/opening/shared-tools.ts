/** What a client says of its tools. */
export interface DeclaredTools {
  /** JSON text of `hello.tools`. */
  readonly text: string;
  readonly protocolVersion: string;
  /** The names of those that it can be sent. */
  readonly callable: ReadonlySet<string>;
}

/**
 * One copy for all who declare the same: most clients of a release name the same tools. It is gone with its last holder, so nothing that a
 * client sent outlives the connections that sent it (G4).
 */
export class SharedTools {
  private readonly holders = new Map<string, { readonly tools: DeclaredTools; count: number }>();

  /** The copy to keep in place of `tools`. Call `release` once for each call. */
  hold(tools: DeclaredTools): DeclaredTools {
    const key = keyOf(tools);
    const held = this.holders.get(key) ?? { tools, count: 0 };
    held.count += 1;
    this.holders.set(key, held);
    return held.tools;
  }

  release(tools: DeclaredTools): void {
    const held = this.holders.get(keyOf(tools));
    if (held === undefined) return;
    held.count -= 1;
    if (held.count === 0) this.holders.delete(keyOf(tools));
  }

  /** Different declarations that somebody holds. */
  get size(): number {
    return this.holders.size;
  }
}

const keyOf = ({ protocolVersion, text }: DeclaredTools): string => `${protocolVersion} ${text}`;
