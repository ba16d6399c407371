import { findSecretReason, type CommandJudgement, type SimpleCommand } from '@codelab/tools';
import { parsePath } from '../../files/paths/parse-path.js';
import { resolvePath } from '../../files/paths/resolve-path.js';
import type { WorkspaceRoot } from '../../files/paths/workspace-root.js';
import { about, isErrno } from '../../to-tool-error.js';
import { ToolFailure } from '../../tool-failure.js';
import type { SystemShell } from '../shell/choose-shell.js';
import { NeedsApproval } from './needs-approval.js';
import type { WorkingDirectory } from './working-directory.js';

/** What a command line is judged by before it runs. */
export interface CommandRequest {
  readonly judgement: CommandJudgement;
  readonly shell: SystemShell;
  readonly directory: WorkingDirectory;
  /** A human, or a rule of one, decided on this very call. */
  readonly approved: boolean;
}

/** Directories that the `cd`s of one line can lead to; more than that asks. */
const MAX_DIRECTORIES = 16;

const resolveInside = async (root: WorkspaceRoot, base: readonly string[], path: string): Promise<void> => {
  const own = parsePath(path);
  const whole = own.ok ? parsePath([...base, ...own.path.segments].join('/') || '.') : own;
  if (!whole.ok) throw new ToolFailure(whole.code, whole.message);
  const secret = findSecretReason(whole.path.text);
  if (secret !== undefined) throw new NeedsApproval(`${path}: ${secret}`);
  if (whole.path.segments.length === 0) return;
  await about(whole.path.text, async () => {
    try {
      const place = await resolvePath(root, whole.path, { purpose: 'read', links: 'follow', leaf: 'follow' });
      await place.close();
    } catch (error) {
      if (!isErrno(error, 'ENOENT', 'ENOTDIR')) throw error; // nothing is there: the command will say so
    }
  });
};

/** Where the parts of a line can run: each `cd` can have been done or not, so all of them are looked at. */
const directoriesOf = ({ segments }: WorkingDirectory, commands: readonly SimpleCommand[]): readonly (readonly string[])[] => {
  const found: (readonly string[])[] = [segments];
  for (const { words } of commands) {
    const [program, target, ...rest] = words;
    if (program !== 'cd') continue;
    const parsed = parsePath(target ?? '');
    if (!parsed.ok || rest.length > 0) throw new NeedsApproval('it changes to a directory that cannot be told');
    found.push(...found.map((base) => [...base, ...parsed.path.segments]));
    if (found.length > MAX_DIRECTORIES) throw new NeedsApproval('it changes directories again and again');
  }
  return found;
};

/**
 * The workspace's own last word on a command (H1): what is refused never runs; and without an approval only what is judged harmless does,
 * on paths that lie in the workspace. A server that leaves the question out gets no further than that.
 *
 * @throws ToolFailure `DENIED_BY_POLICY`, or what is wrong with a path
 */
export async function assertMayRun(root: WorkspaceRoot, request: CommandRequest): Promise<void> {
  const { judgement, shell, directory, approved } = request;
  const { verdict, reason, commands } = judgement;
  if (verdict === 'refuse') throw new ToolFailure('DENIED_BY_POLICY', `The command is never run: ${reason}.`);
  if (approved) return;
  if (!shell.posix) throw new NeedsApproval(`${shell.program} would run it, which reads a line in other ways than it was judged`);
  if (verdict !== 'automatic') throw new NeedsApproval(reason);
  if (commands.some(({ runs }) => runs.length > 0)) throw new NeedsApproval('it runs code of the workspace');
  for (const path of commands.flatMap(({ paths }) => paths)) await resolveInside(root, directory.segments, path);
  for (const place of directoriesOf(directory, commands)) await resolveInside(root, [], place.join('/') || '.');
}
