import { readFileSync } from 'node:fs';
import { validateSync } from 'class-validator';
import { settingsOf, type SettingDefinition } from './setting.js';

/** The environment, as a process hands it over. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A configuration that can't be used. Each problem is one sentence: which variable, what is wrong, what to set. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(
    readonly problems: readonly string[],
    options?: ErrorOptions,
  ) {
    super(problems.join('\n'), options);
  }
}

/**
 * Builds a configuration from the environment. A variable that is unset or empty keeps the default of the class; a secret may stand in the
 * file that `<variable>_FILE` names instead. Throws `ConfigError` with every problem at once.
 */
export function readConfig<C extends object>(configClass: new () => C, environment: Environment): C {
  const definitions = settingsOf(configClass);
  const config = new configClass() as C & Record<string, unknown>;
  const problems: string[] = [];
  const names = new Set(definitions.map(({ env }) => env));
  const texts = new Map<SettingDefinition, string>();
  for (const definition of definitions) {
    const hasOwnFile = names.has(`${definition.env}_FILE`); // a setting of its own, which its user reads
    const text = environment[definition.env]?.trim() || (hasOwnFile ? '' : readSecretFile(definition, environment, problems));
    if (!text) continue;
    texts.set(definition, text);
    Object.assign(config, { [definition.property]: toValue(definition, text) });
  }
  const wrong = new Set(validateSync(config, { forbidUnknownValues: false }).map((error) => error.property));
  problems.push(...definitions.filter(({ property }) => wrong.has(property)).map((each) => toProblem(each, texts.get(each))));
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

function readSecretFile({ env, secret }: SettingDefinition, environment: Environment, problems: string[]): string {
  const path = secret ? (environment[`${env}_FILE`]?.trim() ?? '') : '';
  if (path === '') return '';
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    problems.push(
      `${env}_FILE names ${path}, which can't be read (${(error as NodeJS.ErrnoException).code}): name a file that holds ${env}.`,
    );
    return '';
  }
}

function toValue({ kind }: SettingDefinition, text: string): unknown {
  if (kind === 'number') return Number(text);
  if (kind === 'list') return text.split(',').map((entry) => entry.trim());
  if (kind !== 'boolean') return text;
  if (/^(true|1|yes|on)$/i.test(text)) return true;
  return /^(false|0|no|off)$/i.test(text) ? false : text;
}

function toProblem(definition: SettingDefinition, text: string | undefined): string {
  const given = text === undefined || text === '' ? 'is not set' : definition.secret ? 'is not valid' : `is ${JSON.stringify(text)}`;
  return `${definition.env} ${given}: set it to ${definition.expects}.`;
}
