import type { RepositoryFile } from './read-repository-file.js';
import { runGit } from './run-git.js';
import { ToolFailure } from '../tool-failure.js';

/** One setting. Git's configuration is bytes: each character stands for one of them (latin1), so that nothing is lost or taken for another. */
export interface Setting {
  /** The section and the name, in small letters. */
  readonly key: string;
  /** What stands between them, as it is written; absent in `core.bare`. */
  readonly subsection?: string;
  /** Absent where the name stands alone, which means yes. */
  readonly value?: string;
}

/** Bytes of settings that are read. */
const MAX_BYTES = 4 * 1024 * 1024;

/** As git writes it, for people and for messages: bytes that are no visible UTF-8 are shown as escapes. */
export const nameOf = ({ key, subsection }: Setting): string => {
  const [section, name] = key.split('.') as [string, string];
  const whole = subsection === undefined ? key : `${section}.${subsection}.${name}`;
  const text = Buffer.from(whole, 'latin1').toString('utf8');
  return text
    .replace(/[^\P{C} ]|[\u2028\u2029\ufffd]/gu, (char) => `\\u${char.codePointAt(0)!.toString(16).padStart(4, '0')}`)
    .slice(0, 200);
};

const parse = (field: string): Setting => {
  const end = field.indexOf('\n');
  const [name, value] = end < 0 ? [field, undefined] : [field.slice(0, end), field.slice(end + 1)];
  const [first, last] = [name.indexOf('.'), name.lastIndexOf('.')];
  return {
    key: `${name.slice(0, first)}.${name.slice(last + 1)}`,
    subsection: first < last ? name.slice(first + 1, last) : undefined,
    value,
  };
};

/**
 * The settings of a file in their order. Git reads them, from its standard input and in no repository, so that none of them has an effect;
 * files that they include are not read.
 *
 * @throws ToolFailure `GIT_ERROR` if it is no configuration
 */
export async function readSettings(root: string, file: RepositoryFile, signal: AbortSignal): Promise<readonly Setting[]> {
  const args = ['config', '--file', '-', '--no-includes', '--list', '-z'];
  const outcome = await runGit({ root, args, signal, limit: MAX_BYTES, input: file.content });
  if (outcome.kind === 'over_limit')
    throw new ToolFailure('GIT_ERROR', `${file.name} has more than ${String(MAX_BYTES)} bytes of settings.`);
  if (outcome.code !== 0) throw new ToolFailure('GIT_ERROR', `git config: ${outcome.complaint} (${file.name})`);
  return outcome.stdout.toString('latin1').split('\0').slice(0, -1).map(parse);
}

const escape = (text: string): string =>
  text.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\b', '\\b');

/** The settings as a file that git reads. */
export function writeSettings(settings: readonly Setting[]): Buffer {
  const lines = settings.map(({ key, subsection, value }) => {
    const [section, name] = key.split('.') as [string, string];
    const header = subsection === undefined ? `[${section}]` : `[${section} "${subsection.replace(/["\\]/g, '\\$&')}"]`;
    return `${header}\n\t${name}${value === undefined ? '' : ` = "${escape(value)}"`}\n`;
  });
  return Buffer.from(lines.join(''), 'latin1');
}
