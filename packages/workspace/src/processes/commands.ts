import type { Operand } from '@codelab/protocol';
import { judgeCommand, type CommandJudgement } from '@codelab/tools';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { toWorkspacePath } from '../files/paths/parse-path.js';
import type { WorkspaceRoot } from '../files/paths/workspace-root.js';
import type { Environment } from '../inherited-environment.js';
import { ToolFailure } from '../tool-failure.js';
import { assertMayRun, type CommandRequest } from './approval/assert-may-run.js';
import { handTo, systemShell, type Shell, type SystemShell } from './shell/choose-shell.js';
import { commandEnvironment } from './shell/command-environment.js';
import { findOutwardWord } from './approval/find-outward-word.js';
import { findSearchedSecret } from './approval/find-searched-secret.js';
import { hashOperands, verifyOperands, type HashedFiles } from './approval/hash-operands.js';
import { NeedsApproval } from './approval/needs-approval.js';
import { RIPGREP_SETTINGS } from './approval/ripgrep-settings.js';
import { withHarmlessGit } from './approval/with-harmless-git.js';
import { openWorkingDirectory, type WorkingDirectory } from './approval/working-directory.js';

/** A command and what was decided about it. */
export interface CommandOrder {
  readonly command: string;
  readonly cwd?: string | undefined;
  readonly approved: boolean;
  readonly operands?: readonly Operand[] | undefined;
  /** The session that the call is of. */
  readonly sessionId?: string | undefined;
  /** It goes on after the call that starts it. */
  readonly goesOn?: boolean | undefined;
  readonly signal: AbortSignal;
}

/** A command that nobody is asked about, so far. */
interface DoubtfulOrder extends Omit<CommandOrder, 'approved'> {
  /** A rule allows it, by its words; without, they are harmless. */
  readonly byRule?: boolean;
}

/** A command that may run now. */
export interface ReadyCommand {
  readonly directory: WorkingDirectory;
  readonly environment: Environment;
  readonly marker: string;
  readonly shell: Shell;
  /** To be called right before the shell starts: compares the files that the approval is bound to, once more. */
  readonly verify: () => Promise<void>;
}

/** Files of the user's that tell a program what to run; a command that nobody approved does without. */
const STEERING_FILES = ['RIPGREP_CONFIG_PATH', 'GREP_OPTIONS', 'LESSOPEN', 'LESSCLOSE'];

const without = (environment: Environment, names: readonly string[]): Environment =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !names.includes(name)));

/** What stands between a command and its shell: the same for one that is waited for and one that goes on. */
export class Commands {
  /** @param shell what runs commands here; without: see `systemShell` */
  constructor(
    private readonly root: WorkspaceRoot,
    readonly shell: () => Promise<SystemShell> = () => systemShell(root.path),
  ) {}

  /**
   * Checks a command and holds its directory open for the time of `use`. The files that its approval is bound to are compared here,
   * and by `use` again if it does something before the shell starts.
   *
   * @throws ToolFailure if it may not run, or not there; nothing was run then
   */
  async prepare<T>(order: CommandOrder, use: (ready: ReadyCommand) => Promise<T>): Promise<T> {
    const { command, cwd = '.', approved, operands = [], signal } = order;
    const judgement = judge(command);
    const shell = await this.shell();
    const directory = await openWorkingDirectory(this.root, toWorkspacePath(cwd));
    try {
      return await this.cleared(order, { judgement, shell, directory, approved }, async (steering) => {
        const marker = randomUUID();
        const own = commandEnvironment(this.root.path, marker);
        const environment = approved ? own : { ...without(own, STEERING_FILES), ...steering };
        const verify = async (): Promise<void> => {
          await verifyOperands(this.root, operands);
          if (operands.length > 0) await directory.assertStill();
          signal.throwIfAborted();
        };
        await verify();
        return use({ directory, environment, marker, shell: handTo(shell, command), verify });
      });
    } finally {
      await directory.close();
    }
  }

  /**
   * Why a command should be asked about although its words are harmless, or a rule allows them, as a clause: a setting of the repository,
   * where a link leads. `undefined` if it would run, and where an approval changes nothing.
   */
  async findDoubt({ byRule = false, ...order }: DoubtfulOrder): Promise<string | undefined> {
    try {
      return await this.prepare({ ...order, approved: byRule }, async ({ directory: { segments } }) => {
        if (!byRule) return undefined;
        const start = join(this.root.path, ...segments);
        const word = await findOutwardWord(this.root.path, start, judge(order.command).commands);
        return word === undefined ? undefined : `a rule allows it, but ${word} is or has a link that leads out of the workspace`;
      });
    } catch (error) {
      return error instanceof NeedsApproval ? error.reason : undefined;
    }
  }

  /** The files whose code a command runs, as they are now. */
  async look(command: string, cwd = '.'): Promise<HashedFiles> {
    const runs = judge(command).commands.flatMap((each) => each.runs);
    const directory = await openWorkingDirectory(this.root, toWorkspacePath(cwd));
    try {
      return await hashOperands(this.root, directory, runs);
    } finally {
      await directory.close();
    }
  }

  /** Checks a command; `use` gets the variables that keep one without an approval from being steered by files. */
  private async cleared<T>(
    { approved, goesOn = false, signal }: CommandOrder,
    request: CommandRequest,
    use: (steering: Environment) => Promise<T>,
  ): Promise<T> {
    const { judgement, directory } = request;
    await assertMayRun(this.root, request);
    if (approved) return use({});
    const secret = await findSearchedSecret(join(this.root.path, ...directory.segments), judgement.commands, signal);
    if (secret !== undefined) throw new NeedsApproval(secret);
    return withHarmlessGit({ root: this.root, directory, commands: judgement.commands, goesOn, signal }, (git) =>
      use({ ...git, RIPGREP_CONFIG_PATH: RIPGREP_SETTINGS }),
    );
  }
}

const judge = (command: string): CommandJudgement => {
  if (command.includes('\0')) throw new ToolFailure('INVALID_ARGUMENTS', 'The command has a NUL character.');
  return judgeCommand(command);
};
