import { installPrograms } from './install-programs.js';

/** The tests use real programs. Installs what is missing where it may; throws a sentence about the rest. */
export async function ensureTestPrograms(say: (text: string) => void): Promise<void> {
  await installPrograms(
    [
      { program: 'redis-server', packageName: 'redis-server', brewName: 'redis' },
      { program: 'git', packageName: 'git', brewName: 'git' },
      { program: 'rg', packageName: 'ripgrep', brewName: 'ripgrep' },
    ],
    say,
  );
}
