import type { StepDelta, StepWait } from '../../model-queue.js';
import { SCRIPT_LIMITS } from '../limits.js';

const RS = '\x1e';
/** UTF-16 units of one message: three bytes each at most. */
const MAX_UNITS = Math.floor(SCRIPT_LIMITS.MAX_ANNOUNCED_BYTES / 6) * 2;

/** What is no text, as it travels: without a name in the first place, so that a runtime of an older release passes over it. */
const encodeAside = ({ stepId, attempt }: StepDelta, aside: StepWait | { readonly thought: string }): string =>
  ['', String(attempt), stepId, JSON.stringify(aside)].join(RS);

const decodeAside = (text: string): Pick<StepDelta, 'wait' | 'thought'> => {
  const aside = JSON.parse(text) as StepWait | { readonly thought: string };
  return 'thought' in aside ? aside : { wait: aside };
};

/** A delta as it travels: small parts first, the text last, whatever is in it. */
const encodeOne = ({ stepId, attempt, offset, text, tool }: StepDelta): string =>
  [stepId, String(attempt), String(offset), tool === undefined ? '' : String(tool.index), JSON.stringify(tool?.name ?? ''), text].join(RS);

/** JSON escapes a unit into six bytes at most. */
const toPieces = (text: string): readonly string[] => text.match(new RegExp(`[^]{1,${String(MAX_UNITS / 2)}}`, 'g')) ?? [];

/** The messages that carry a delta: several where it is larger than an announcement may be. */
export function encodeDelta(delta: StepDelta): readonly string[] {
  const { tool, wait, thought, ...whole } = delta;
  if (wait !== undefined) return [encodeAside(delta, wait)];
  if (thought !== undefined) return toPieces(thought).map((piece) => encodeAside(delta, { thought: piece }));
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
  if (stepId === '') return { stepId: offset, attempt: Number(attempt), offset: 0, text: '', ...decodeAside(parts.slice(3).join(RS)) };
  return {
    stepId,
    attempt: Number(attempt),
    offset: Number(offset),
    text: parts.slice(5).join(RS),
    ...(index === '' ? {} : { tool: { index: Number(index), name: JSON.parse(name) as string } }),
  };
}
