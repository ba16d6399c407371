import { renderColumns } from '../text/render-columns.js';
import type { Line } from '../text/span.js';
import { expectedOf, USER_SETTINGS, type SettingName, type UserSettings } from './settings.js';

/** A setting as it holds now, and what decided it: `NO_COLOR`, `config.yaml:4`, `default`. */
export interface EffectiveSetting {
  readonly name: SettingName;
  readonly value: string;
  readonly source: string;
}

const NAMES = Object.keys(USER_SETTINGS) as readonly SettingName[];

/** Which value of each setting holds: a variable's, the file's, the usual one. Options of a command come before all of them. */
export function effectiveSettings(
  file: { readonly settings: UserSettings; readonly lines: Readonly<Partial<Record<SettingName, number>>> },
  variables: Readonly<Record<string, string>>,
): readonly EffectiveSetting[] {
  return NAMES.map((name) => {
    const { variables: names = [], usual } = USER_SETTINGS[name];
    const variable = names.find((one) => variables[one] !== undefined);
    if (variable !== undefined) return { name, value: variable === 'NO_COLOR' ? 'none' : variables[variable]!, source: variable };
    const line = file.lines[name];
    if (line !== undefined) return { name, value: String(file.settings[name]), source: `config.yaml:${String(line)}` };
    return { name, value: usual, source: 'default' };
  });
}

/** `codelab config`: one row for each setting. */
export const renderSettings = (settings: readonly EffectiveSetting[]): readonly Line[] =>
  renderColumns(
    settings.map(({ name, value, source }) => [name, value, source]),
    [{ maxCharacters: 40, style: 'strong' }, { maxCharacters: 100, style: 'plain' }, { maxCharacters: 40 }],
  );

/** A file that sets nothing and tells of everything, for `codelab config --init`. */
export function configTemplate(): string {
  const head = [
    '# Settings of `codelab` for this user. Take the # away before a setting and write your own value.',
    '# `codelab config` shows what holds and why. Tokens and keys never stand here.',
  ];
  const entries = NAMES.map((name) => {
    const setting = USER_SETTINGS[name];
    const comment = [setting.meaning, `It is ${expectedOf(setting)}. Without it: ${setting.usual}.`];
    return [...comment, `${name}: ${setting.example}`].map((line) => `# ${line}`).join('\n');
  });
  return `${[head.join('\n'), ...entries].join('\n\n')}\n`;
}
