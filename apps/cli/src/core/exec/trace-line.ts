import type { ServerFrame } from '@codelab/protocol';

/** One line of `--trace` for a frame: when it came, counted from the start of the command, what it is, and its W3C trace context. */
export function traceLine(frame: ServerFrame, sinceStartMs: number, bytes: number): string {
  const fields = frame as { readonly seq?: number; readonly call_id?: string; readonly traceparent?: string };
  const parts = [
    `${sinceStartMs.toFixed(1).padStart(9)} ms`,
    frame.type.padEnd(17),
    fields.seq === undefined ? '' : `seq=${fields.seq}`,
    `bytes=${bytes}`,
    fields.call_id === undefined ? '' : `call=${fields.call_id}`,
    fields.traceparent === undefined ? '' : `traceparent=${fields.traceparent}`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}
