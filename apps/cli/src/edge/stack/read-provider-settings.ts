import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { findModelsFile, findToolsFile } from '@codelab/service-shell';
import { TOOLS_FILE_SETTING, type ProviderSettings } from '../../core/stack/provider-settings.js';
import { PROVIDER_VARIABLES, variables, type CliConfig } from '../config.js';

/** Keys that a models file takes from the environment. */
const KEY_NAMES = /api_key_env:\s*["']?([A-Za-z_][A-Za-z0-9_]*)/g;

/** What a tools file takes from the environment. */
const TOOL_NAMES = /(?:\benv:\s*|_env:\s*|\$\{env:)["']?([A-Za-z_][A-Za-z0-9_]*)/g;

/**
 * The settings of this process that decide about models and about tools of the servers: variables, the content of the models file, and the variables
 * that it names; the tools file likewise, as one.
 * @param secret keys the digests, so that they tell nothing about a value to whom they are shown
 */
export function readProviderSettings(config: CliConfig, secret: string): ProviderSettings {
  const file = findModelsFile(config);
  const text = file === undefined ? '' : readOrNothing(file);
  const names = [...PROVIDER_VARIABLES, ...[...text.matchAll(KEY_NAMES)].map(([, name]) => name!)];
  const toolsFile = findToolsFile(config);
  const tools = toolsFile === undefined ? '' : readOrNothing(toolsFile);
  const toolValues = variables([...tools.matchAll(TOOL_NAMES)].map(([, name]) => name!));
  const values = {
    ...variables(names),
    ...(text === '' ? {} : { 'the models file': text }),
    ...(tools === '' ? {} : { [TOOLS_FILE_SETTING]: JSON.stringify([tools, toolValues]) }),
  };
  const digest = (value: string): string => createHmac('sha256', secret).update(value).digest('hex').slice(0, 16);
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, digest(value)]));
}

function readOrNothing(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // the service that reads it says what is wrong with it
  }
}
