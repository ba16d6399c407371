import type { StepDelta, StepWait } from '../../model-queue.js';
import { SCRIPT_LIMITS } from '../limits.js';

const RS = '\x1e';
/** UTF-16 units of one message: three bytes each at most. */
const MAX_UNITS = Math.floor(SCRIPT_LIMITS.MAX_ANNOUNCED_BYTES / 3);

/** A wait as it travels: without a name in the first place, so that a runtime of an older release passes over it. */
const encodeWait = ({ stepId, attempt, wait }: StepDelta): string => ['', String(attempt), stepId, JSON.stringify(wait)].join(RS);

/** A delta as it travels: small parts first, the text last, whatever is in it. */
const encodeOne = ({ stepId, attempt, offset, text, tool }: StepDelta): string =>
  [stepId, String(attempt), String(offset), tool === undefined ? '' : String(tool.index), JSON.stringify(tool?.name ?? ''), text].join(RS);

/** The messages that carry a delta: several where it is larger than an announcement may be. */
export function encodeDelta(delta: StepDelta): readonly string[] {
  const { tool, ...whole } = delta;
  if (delta.wait !== undefined) return [encodeWait(delta)];
  const messages: string[] = [];
  for (let from = 0; from === 0 || from < delta.text.length; from += MAX_UNITS) {
    const last = from + MAX_UNITS >= delta.text.length;
    const part = { ...whole, offset: delta.offset + from, text: delta.text.slice(from, from + MAX_UNITS) };
    messages.push(encodeOne(last && tool !== undefined ? { ...part, tool } : part));
  }
  return messages;
}

/** The delta of a message. */
export function decodeDelta(message: string): StepDelta {
  const parts = message.split(RS);
  const [stepId = '', attempt = '0', offset = '0', index = '', name = '""'] = parts;
  if (stepId === '')
    return { stepId: offset, attempt: Number(attempt), offset: 0, text: '', wait: JSON.parse(parts.slice(3).join(RS)) as StepWait };
  return {
    stepId,
    attempt: Number(attempt),
    offset: Number(offset),
    text: parts.slice(5).join(RS),
    ...(index === '' ? {} : { tool: { index: Number(index), name: JSON.parse(name) as string } }),
  };
}
