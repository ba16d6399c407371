import { JsonText } from './json-text.js';
import { scanObject } from './scan-object.js';
import { SERVER_FRAMES, type ServerFrame } from './frames/index.js';
import { fieldsOf, type Body } from './fields.js';
import type { ServerDefinition } from './define-frame.js';

/**
 * Reads a frame that our own servers wrote. Lenient where {@link decodeClientFrame} is strict: a client must live with what a newer
 * server adds, so unknown fields stay and an unknown type is `undefined`. `args` comes as text, so its digest is that of the bytes sent.
 */
export function decodeServerFrame(text: string): ServerFrame | undefined {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return undefined;
  const frame = raw as Record<string, unknown>;
  const type = frame['type'];
  if (typeof type !== 'string' || !Object.hasOwn(SERVER_FRAMES, type)) return undefined;
  const { body } = SERVER_FRAMES[type as keyof typeof SERVER_FRAMES] as unknown as ServerDefinition<string, Body>;
  const carried = fieldsOf(body).filter(({ name, shape }) => shape.kind === 'text' && frame[name] !== undefined);
  if (carried.length === 0) return frame as unknown as ServerFrame;
  const scan = scanObject(text, { nesting: Infinity, fields: Infinity });
  if (!scan.ok) return undefined;
  for (const { name } of carried) {
    const span = scan.fields.get(name);
    if (span !== undefined) frame[name] = new JsonText(text.slice(span.start, span.end));
  }
  return frame as unknown as ServerFrame;
}
