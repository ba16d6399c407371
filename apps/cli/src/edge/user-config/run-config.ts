import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CommandError } from '../../core/command-error.js';
import { configTemplate, effectiveSettings, renderSettings } from '../../core/user-config/describe-settings.js';
import { USER_SETTINGS } from '../../core/user-config/settings.js';
import { readCliConfig, variables } from '../config.js';
import { printLines } from '../print-lines.js';
import { configFile, readConfigFile } from './read-settings.js';

export interface ConfigOptions {
  readonly path?: boolean;
  readonly init?: boolean;
}

/** `codelab config`: shows the settings that hold and why, where the file is, or writes one that tells of all of them. */
export async function runConfig({ path, init }: ConfigOptions): Promise<void> {
  const file = configFile(readCliConfig());
  if (path) return void process.stdout.write(`${file}\n`);
  if (init) {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(file, configTemplate(), { flag: 'wx', mode: 0o600 }).catch((cause: NodeJS.ErrnoException) => {
      const why =
        cause.code === 'EEXIST' ? 'is there already: open it in your editor' : `can't be written (${cause.code ?? 'unknown reason'})`;
      throw new CommandError(`${file} ${why}.`, 1, { cause });
    });
    return void process.stdout.write(`${file}\n`);
  }
  const names = Object.values(USER_SETTINGS).flatMap((setting) => setting.variables ?? []);
  printLines(renderSettings(effectiveSettings(readConfigFile(file), variables(names))), process.stdout);
}
