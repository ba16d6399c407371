import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { judgeCommand } from '@codelab/tools';
import { CommandError } from '../../core/command-error.js';
import type { LooseRule } from '../../core/rules/describe-rule.js';

/**
 * Binds a rule to the files of the workspace whose code its command runs (`package.json` of `npm test`), with their content as it is now:
 * changed since, the rule allows nothing. Throws `CommandError` if there is no such file.
 */
export async function bindFiles(rule: LooseRule, command: string | undefined, root: string): Promise<LooseRule> {
  const paths = command === undefined ? [] : [...new Set(judgeCommand(command).commands.flatMap(({ runs }) => runs))];
  if (paths.length === 0) return rule;
  const files = await Promise.all(
    paths.map(async (path) => {
      const content = await readFile(join(root, path)).catch((cause: unknown) => {
        throw new CommandError(`The command runs code of ${path}, which can't be read in ${root}: name its folder with --workspace.`, 2, {
          cause,
        });
      });
      return { path, sha256: createHash('sha256').update(content).digest('hex') };
    }),
  );
  return { ...rule, files };
}
