import { settingsOf, type SettingDefinition } from './setting.js';

/** A configuration class and the program that reads it, as `docs/reference/config.md` names it. */
export interface ConfigSource {
  readonly program: string;
  readonly configClass: new () => object;
}

interface Row {
  readonly definition: SettingDefinition;
  readonly standard: string;
  readonly programs: string[];
}

/** The reference page of every environment variable: name, default, unit, meaning and the programs that read it. Sorted by name. */
export function renderConfigReference(sources: readonly ConfigSource[]): string {
  const rows = new Map<string, Row>();
  for (const { program, configClass } of sources) {
    const defaults = new configClass() as Record<string, unknown>;
    for (const definition of settingsOf(configClass)) {
      const row = rows.get(definition.env) ?? { definition, standard: toDefault(definition, defaults[definition.property]), programs: [] };
      if (!row.programs.includes(program)) row.programs.push(program);
      rows.set(definition.env, row);
    }
  }
  const lines = [...rows.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([env, row]) => toLine(env, row));
  return ['| variable | default | unit | meaning | read by |', '|---|---|---|---|---|', ...lines, ''].join('\n');
}

function toDefault({ defaultText, secret }: SettingDefinition, value: unknown): string {
  if (defaultText !== undefined) return `\`${defaultText}\``;
  if (value === undefined || secret) return '–';
  return `\`${typeof value === 'string' ? value : Array.isArray(value) ? value.join(',') : JSON.stringify(value)}\``;
}

function toLine(env: string, { definition, standard, programs }: Row): string {
  const meaning = `${definition.meaning} Expects ${definition.expects}.`.replaceAll('|', '\\|');
  return `| \`${env}\` | ${standard} | ${definition.unit ?? ''} | ${meaning} | ${programs.join(', ')} |`;
}
