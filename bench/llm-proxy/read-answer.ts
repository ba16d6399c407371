import type { TimedAnswer } from '../measure/http-connection.js';
import type { Case } from './requests.js';

interface AnyAnswer {
  readonly choices?: readonly { readonly message?: { readonly content?: string }; readonly delta?: { readonly content?: string } }[];
  readonly content?: readonly { readonly text?: string }[];
  readonly delta?: { readonly text?: string };
}

const textOf = ({ choices = [], content = [], delta }: AnyAnswer): string =>
  [
    ...choices.map((choice) => choice.message?.content ?? choice.delta?.content ?? ''),
    ...content.map(({ text = '' }) => text),
    delta?.text ?? '',
  ].join('');

/** The body without the marks of its chunks. */
function unchunk(body: Buffer): string {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length;) {
    const end = body.indexOf('\r\n', at);
    const length = Number.parseInt(body.toString('latin1', at, end), 16);
    if (!(length > 0)) break;
    parts.push(body.subarray(end + 2, end + 2 + length));
    at = end + 2 + length + 2;
  }
  return Buffer.concat(parts).toString('utf8');
}

/** The text of an answer. What was measured fast must be right, too. */
export function readAnswer({ status, head, body }: TimedAnswer, { stream }: Case): string {
  const text = /transfer-encoding: *chunked/i.test(head) ? unchunk(body) : body.toString('utf8');
  if (status !== 200) throw new Error(`status ${String(status)}: ${text.slice(0, 300)}`);
  if (stream === undefined) return textOf(JSON.parse(text) as AnyAnswer);
  const events = text.split('\n').filter((line) => line.startsWith('data: {'));
  return events.map((line) => textOf(JSON.parse(line.slice(6)) as AnyAnswer)).join('');
}
