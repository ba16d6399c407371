import type { KernelChoice } from '@codelab/workspace';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { CommandError } from '../../core/command-error.js';
import { parseConfigFile, type ParsedConfig } from '../../core/user-config/parse-config-file.js';
import type { SessionChoices } from '../../core/session/permission-mode.js';
import type { UserSettings } from '../../core/user-config/settings.js';
import { themeOf, type Theme } from '../../core/text/themes.js';
import { readCliConfig, type CliConfig } from '../config.js';

/** Where the settings of this user stand. A file in a workspace is never read: what lies in a repository decides nothing here. */
export const configFile = ({ configDir }: Pick<CliConfig, 'configDir'>): string => join(configDir, 'config.yaml');

/** What `config.yaml` says. Throws `CommandError`, with a line for each problem, if it can't be understood: nothing of it counts then. */
export function readConfigFile(path: string): Extract<ParsedConfig, { ok: true }> {
  const parsed = parseConfigFile(readText(path));
  if (parsed.ok) return parsed;
  throw new CommandError(parsed.problems.map(({ line, text }) => `${path}:${String(line)}: ${text}`).join('\n'), 2);
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') return ''; // most people have none
    throw new CommandError(`${path} can't be read (${code ?? 'unknown reason'}): mend its permissions, or move it away.`, 2, { cause });
  }
}

/** The settings that hold, but for options of the command: variables before the file. */
export function readSettings(config: CliConfig = readCliConfig()): UserSettings {
  const { settings } = readConfigFile(configFile(config));
  const { noColor, visual, editor, vocabulary } = config;
  return {
    ...settings,
    theme: noColor === undefined ? settings.theme : 'none',
    editor: visual ?? editor ?? settings.editor,
    vocabulary: vocabulary ?? settings.vocabulary,
  };
}

/** What the settings say of conversations that begin. */
export function usualChoices(): SessionChoices {
  const { vocabulary, model, permission_mode: permissionMode } = readSettings();
  return { vocabulary, model, permissionMode };
}

/** The kernel that the settings name: `/` and `~/` begin the path of a Python, anything else is a kernel's name. */
export function chosenKernel(): KernelChoice | undefined {
  const { kernel } = readSettings();
  if (kernel === undefined) return undefined;
  if (/^~[\\/]/.test(kernel)) return { python: join(homedir(), kernel.slice(2)) };
  return isAbsolute(kernel) ? { python: kernel } : { name: kernel };
}

/** The colours of this user; undefined without any. */
export function userTheme(): Theme | undefined {
  const config = readCliConfig();
  return themeOf(readSettings(config).theme ?? 'auto', config.colourFgBg);
}
