import { withRepository } from '../git/find-repository.js';
import { runGit } from '../git/run-git.js';
import { MAX_COMMITS, MAX_LINE_CHARACTERS, MAX_STATUS_LINES } from './facts-limits.js';

/** What git says of a workspace, for a model to read. */
export interface GitFacts {
  readonly branch?: string;
  readonly git_status?: string;
  readonly commits?: string;
}

/** Bytes of an answer that are read. */
const MAX_ANSWER_BYTES = 64 * 1024;

const STATUS = ['status', '--porcelain=v1', '--untracked-files=normal', '--ignore-submodules=all', '--no-renames', '--', '.'];
const LOG = [
  ...['log', `--max-count=${String(MAX_COMMITS)}`, '--format=%h %s', '--encoding=UTF-8', '--no-show-signature', '--no-notes'],
  '--no-patch',
];

const cutLine = (line: string): string => {
  const characters = [...line];
  return characters.length <= MAX_LINE_CHARACTERS ? line : `${characters.slice(0, MAX_LINE_CHARACTERS - 1).join('')}…`;
};

const cutLines = (text: string, most: number): string => {
  const lines = text.split('\n').filter((line) => line !== '');
  const more = lines.length > most ? [`… ${String(lines.length - most)} more`] : [];
  return [...lines.slice(0, most).map(cutLine), ...more].join('\n');
};

/** The branch, what has changed, and the last commits; nothing where there is no repository that our git reads, or no git. */
export async function readGitFacts(root: string, signal: AbortSignal): Promise<GitFacts> {
  try {
    return await withRepository(root, signal, async ({ variables }) => {
      const read = async (args: readonly string[]): Promise<string> => {
        const outcome = await runGit({ root, args, variables, signal, limit: MAX_ANSWER_BYTES });
        return outcome.kind === 'exited' && outcome.code !== 0 ? '' : outcome.stdout.toString('utf8');
      };
      const branch = (await read(['symbolic-ref', '--quiet', '--short', 'HEAD'])).trim();
      const status = cutLines(await read(STATUS), MAX_STATUS_LINES);
      const commits = cutLines(await read(LOG), MAX_COMMITS);
      return {
        branch: branch === '' ? undefined : [...branch].slice(0, 255).join(''),
        git_status: status === '' ? 'clean' : status,
        commits: commits === '' ? undefined : commits,
      };
    });
  } catch {
    return {}; // no repository, no git, one that is not trusted, or no time: the model can ask for it with a tool
  }
}
