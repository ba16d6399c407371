import type { InstructionFile, UndoneFiles, WorkspaceFacts } from '@codelab/protocol';
import type { WorkspaceFiles } from '../files/workspace-files.js';
import { MAX_AGENTS_BYTES, MAX_INSTRUCTIONS_BYTES, SEARCH_AGAIN_MS } from './facts-limits.js';
import { AGENT_DIRECTORY, findNested, listMarkdown, readInstruction, rootInstructions, RULE_DIRECTORIES } from './find-instructions.js';
import { readCommandFiles, type CommandFile } from './command-files.js';
import { fillRoom, type FoundFile } from './instruction-files.js';
import { readEnvironment } from './read-environment.js';
import { readUserFiles } from './user-files.js';

/** How long what can be done without may take, in milliseconds: git's state and the search for files below the root. */
const MAX_MS = 2_000;
/** The same for the few directories of rules and agents: without them others would be asked, or by other rules. */
const MAX_LISTING_MS = 10_000;

const NOTHING = { instructions: [], rules: [], agents: [] };

/** Collects what a model should know of a workspace, by the rules for every file of it (W1). Changes nothing, runs nothing but our git. */
export class WorkspaceFactsReader {
  private nested: { readonly paths: readonly string[]; readonly untilMs: number } | undefined;

  constructor(
    private readonly files: WorkspaceFiles,
    private readonly root: string,
    private readonly undone: () => Promise<readonly UndoneFiles[]>,
  ) {}

  /**
   * The environment, instructions, rules and agents (the person's own first, then those of the root, then those below it), and what was undone.
   *
   * @param configDir where the person's own are; none without
   */
  async read(configDir?: string): Promise<WorkspaceFacts> {
    const signal = AbortSignal.timeout(MAX_MS);
    const [environment, files, undone] = await Promise.all([
      readEnvironment(this.files, this.root, signal).catch(() => undefined), // the folder is gone: tools will say so
      this.readFiles(configDir, signal),
      this.undone(),
    ]);
    return {
      environment,
      files: files.length === 0 ? undefined : [...files],
      undone: undone.length === 0 ? undefined : [...undone],
    };
  }

  /** @see readCommandFiles */
  readCommands(configDir?: string): Promise<readonly CommandFile[]> {
    return readCommandFiles(this.files, configDir);
  }

  private async readFiles(configDir: string | undefined, signal: AbortSignal): Promise<readonly InstructionFile[]> {
    const [own, roots, rules, agents, nested] = await Promise.all([
      configDir === undefined ? NOTHING : readUserFiles(configDir),
      this.readAll(rootInstructions()),
      this.readDirectories(RULE_DIRECTORIES),
      this.readDirectories([AGENT_DIRECTORY]),
      this.readNested(signal),
    ]);
    const instructions = [...own.instructions, ...roots, ...own.rules, ...rules, ...nested];
    return [...fillRoom(withoutCopies(instructions), MAX_INSTRUCTIONS_BYTES), ...fillRoom([...own.agents, ...agents], MAX_AGENTS_BYTES)];
  }

  private async readDirectories(directories: readonly string[]): Promise<readonly FoundFile[]> {
    const signal = AbortSignal.timeout(MAX_LISTING_MS);
    const paths = await Promise.all(directories.map((directory) => listMarkdown(this.files, directory, { signal })));
    return this.readAll(paths.flat());
  }

  /** The whole tree is not walked for each message. */
  private async readNested(signal: AbortSignal): Promise<readonly FoundFile[]> {
    const nowMs = performance.now();
    if (this.nested === undefined || nowMs >= this.nested.untilMs)
      this.nested = { paths: await findNested(this.files, signal), untilMs: nowMs + SEARCH_AGAIN_MS };
    return this.readAll(this.nested.paths);
  }

  private async readAll(paths: readonly string[]): Promise<readonly FoundFile[]> {
    return (await Promise.all(paths.map((path) => readInstruction(this.files, path)))).filter((file) => file !== undefined);
  }
}

/** Many projects have the same text under two names, or one as a link to the other: it is said once. */
const withoutCopies = (found: readonly FoundFile[]): readonly FoundFile[] =>
  found.filter(
    ({ path, content }, at) =>
      typeof content === 'string' ||
      !found
        .slice(0, at)
        .some(
          (other) => typeof other.content !== 'string' && directoryOf(other.path) === directoryOf(path) && other.content.equals(content),
        ),
  );

const directoryOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);
