import { scanObject, type ServerFrameType } from '@codelab/protocol';
import type { LoggedFrame } from '@codelab/bus';

/** A frame of the log with what routing needs to know of it, read once for all connections of a session. */
export interface LogFrame extends LoggedFrame {
  readonly type: ServerFrameType;
}

/** How every stored frame begins: numbers and flags spliced in front, then `type`. */
const HEAD = /^\{(?:"(?:seq|prev_seq|redelivered)":[a-z0-9]+,)*"type":"([a-z_]+)"/;

/** The `type` of a frame that our own servers wrote. */
export const typeOfFrame = (text: string): string => HEAD.exec(text)?.[1] ?? String(readFields(text, ['type'])['type']);

/** A stored frame as a {@link LogFrame}. */
export const toLogFrame = ({ seq, text }: LoggedFrame): LogFrame => ({ seq, text, type: typeOfFrame(text) as ServerFrameType });

/** Some top-level fields of a JSON object, without walking the others: `args` may be megabytes. Absent ones are `undefined`. */
export function readFields<Name extends string>(text: string, names: readonly Name[]): Readonly<Record<Name, unknown>> {
  const scan = scanObject(text, { nesting: Infinity, fields: Infinity });
  const fields = scan.ok ? scan.fields : undefined;
  const entries = names.map((name) => {
    const span = fields?.get(name);
    return [name, span === undefined ? undefined : (JSON.parse(text.slice(span.start, span.end)) as unknown)] as const;
  });
  return Object.fromEntries(entries) as Record<Name, unknown>;
}
