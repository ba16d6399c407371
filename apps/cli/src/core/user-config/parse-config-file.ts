import { isMap, isScalar, LineCounter, parseDocument, type Pair } from 'yaml';
import { nearestName } from './nearest-name.js';
import { expectedOf, USER_SETTINGS, type SettingName, type UserSettings } from './settings.js';

/** What a configuration file says, and where: lines count from 1. Or all that is wrong with it, one sentence each. */
export type ParsedConfig =
  | { readonly ok: true; readonly settings: UserSettings; readonly lines: Readonly<Partial<Record<SettingName, number>>> }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

export interface ConfigProblem {
  readonly line: number;
  readonly text: string;
}

/** Names under which people put what must not lie in a file that is copied and shown around. */
const KEY_LIKE = /^(?:api[-_]?key|key|token|secret|password|authorization)$/i;

/** Reads `config.yaml`. Pure. An empty file sets nothing. */
export function parseConfigFile(text: string): ParsedConfig {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, uniqueKeys: true, prettyErrors: false });
  const lineAt = (offset: number): number => Math.max(1, counter.linePos(offset).line);
  const [error] = document.errors;
  if (error) return { ok: false, problems: [{ line: lineAt(error.pos[0]), text: `${error.message.replace(/\.$/, '')}.` }] };
  const { contents } = document;
  if (contents === null || (isScalar(contents) && contents.value === null)) return { ok: true, settings: {}, lines: {} };
  if (!isMap(contents))
    return { ok: false, problems: [{ line: 1, text: 'The file holds no settings: write lines such as `theme: light`.' }] };
  const problems: ConfigProblem[] = [];
  const settings: Record<string, unknown> = {};
  const lines: Record<string, number> = {};
  for (const pair of contents.items) {
    const line = lineAt(offsetOf(pair));
    const read = readPair(pair);
    if ('problem' in read) problems.push({ line, text: read.problem });
    else if (read.value !== undefined) [settings[read.name], lines[read.name]] = [read.value, line];
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, settings, lines };
}

const offsetOf = ({ key }: Pair): number => (isScalar(key) ? (key.range?.[0] ?? 0) : 0);

function readPair({
  key,
  value: node,
}: Pair): { readonly problem: string } | { readonly name: SettingName; readonly value?: string | boolean } {
  const name = isScalar(key) ? String(key.value) : '';
  if (!isSetting(name)) return { problem: tellUnknown(name) };
  const value = isScalar(node) ? node.value : node === null ? null : undefined;
  if (value === null) return { name }; // `theme:` with nothing behind it sets nothing
  const setting = USER_SETTINGS[name];
  const told = value === undefined ? 'holds more than one value' : `is ${JSON.stringify(value)}`;
  const problem = { problem: `${name} ${told}: write ${expectedOf(setting)}.` };
  if (setting.value.kind === 'switch') return typeof value === 'boolean' ? { name, value } : problem;
  if (typeof value !== 'string' && typeof value !== 'number') return problem;
  const text = String(value);
  const fits = setting.value.kind === 'choice' ? setting.value.choices.includes(text) : setting.value.pattern.test(text);
  return fits ? { name, value: text } : problem;
}

const isSetting = (name: string): name is SettingName => Object.hasOwn(USER_SETTINGS, name);

function tellUnknown(name: string): string {
  if (KEY_LIKE.test(name))
    return `${name} is no setting: tokens and keys never stand in this file; CODELAB_TOKEN_FILE names a file that holds the token.`;
  const names = Object.keys(USER_SETTINGS);
  const near = nearestName(name, names);
  return `${JSON.stringify(name)} is no setting: ${near === undefined ? `there is ${names.join(', ')}.` : `did you mean ${near}?`}`;
}
