import type { Instruction } from '@codelab/tools';
import { attribute, block, inert } from './quote-block.js';

const WHY: Readonly<Record<string, string>> = {
  binary: 'it is no text in UTF-8',
  too_large: 'it has more than 1 MB',
  no_room: 'there is no room for it',
  unreadable: 'it could not be read',
};

const whole = (bytes: number): string => `${bytes.toLocaleString('en-US')} bytes`;

/** One instruction as a model reads it: its text, marked with the file that it comes from; of what is missing it is said why. */
export function renderInstruction({ path, scope, text, omitted, bytes, name }: Instruction): string {
  const source = { path, from: scope === 'user' ? "the user's own configuration" : 'a file of the workspace' };
  const marks = name === path ? source : { ...source, name };
  if (omitted !== undefined && omitted !== 'cut') return `(${attribute(path)} is left out: ${WHY[omitted]!}.)`;
  const cut = omitted === 'cut' ? `\n[cut: the file has ${whole(bytes)}; read the rest of ${path} when it matters]` : '';
  return block('instructions', marks, text + cut);
}

/** Rules that are only named: whoever needs one asks for it, or reads the file. */
export const listOnRequest = (rules: readonly Instruction[]): string =>
  rules
    .map(({ name, path, scope, description }) => {
      const where = scope === 'workspace' ? ` (${inert(path)})` : '';
      return `- ${inert(name).replaceAll('\n', ' ')}${where}${description === undefined ? '' : `: ${inert(description).replaceAll('\n', ' ')}`}`;
    })
    .join('\n');
