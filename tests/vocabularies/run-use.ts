import type { JsonObject } from '@codelab/tools';
import {
  absoluteUnder,
  changeMarks,
  type CanonicalCall,
  type Marks,
  NO_MARKS,
  type Outcome,
  pathsUnder,
  readArguments,
  type UseContext,
  type UseResult,
  type Vocabulary,
} from '@codelab/vocabularies';
import { openWorkspace, type ToolOutcome, type Workspace } from '@codelab/workspace';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** What a human, or somebody else, does before a call takes effect. */
export type Decision = { readonly deny: string } | { readonly args: JsonObject } | undefined;

export interface UsesOptions {
  readonly vocabulary: Vocabulary;
  /** Content by path. */
  readonly files?: Readonly<Record<string, string | Buffer>>;
  /** Names that the client lacks, `x1` … `x5` among them. */
  readonly without?: readonly string[];
  /** Tools beside those of the workspace, such as the runtime's own. */
  readonly executors?: Readonly<Record<string, (args: JsonObject) => ToolOutcome>>;
  /** What is let through of each result, such as one without secrets; all of it without. */
  readonly see?: (result: JsonObject) => JsonObject;
  /** Asked before each call that changes something, which counts as asked then. */
  readonly decide?: (call: CanonicalCall) => Decision | Promise<Decision>;
}

/** Answered by the runtime itself; a row never sees them. */
const ENDS_A_USE = [
  'DENIED_BY_USER',
  'DENIED_BY_POLICY',
  'APPROVAL_TIMED_OUT',
  'CLIENT_DISCONNECTED',
  'OUTCOME_UNKNOWN',
  'CANCELLED',
  'TIMEOUT',
];
const EFFECTS = ['write_file', 'run_command', 'run_persistent', 'kill_process', 'apply_patch', 'git.commit', 'shell.exec'];

/** A folder with real canonical executors, in which a model uses the rows of a vocabulary, as the runtime runs them. */
export class Uses {
  /** The canonical calls of all uses so far. */
  readonly calls: CanonicalCall[] = [];
  marks: Marks = NO_MARKS;
  private count = 0;

  private constructor(
    private readonly options: UsesOptions,
    private readonly base: string,
    readonly workspace: Workspace,
  ) {}

  static async start(options: UsesOptions): Promise<Uses> {
    const base = realpathSync(mkdtempSync(join(tmpdir(), 'codelab-uses-')));
    mkdirSync(join(base, 'app'));
    const uses = new Uses(options, base, await openWorkspace({ root: join(base, 'app'), dataDir: join(base, 'data') }));
    for (const [path, content] of Object.entries(options.files ?? {})) uses.write(path, content);
    return uses;
  }

  get root(): string {
    return this.workspace.root;
  }

  /** What the model reads after calling a tool with these arguments, which may be the text that it wrote. */
  async use(name: string, args: object | string): Promise<UseResult> {
    const row = this.options.vocabulary.rows.find((one) => one.name === name || Object.hasOwn(one.aliases ?? {}, name));
    if (row === undefined) throw new Error(`${this.options.vocabulary.name} has no ${name}`);
    const context = this.context();
    const read = readArguments(row, name, typeof args === 'string' ? args : JSON.stringify(args), context);
    if (!read.ok) return { text: `Error [INVALID_ARGUMENTS]: ${read.message}`, isError: true };
    const outcomes: Outcome[] = [];
    await row.prepare?.(read.args);
    for (;;) {
      const next = row.next(read.args, outcomes, context);
      if ('text' in next) {
        if (next.marks !== undefined) this.marks = changeMarks(this.marks, next.marks);
        return next;
      }
      for (const call of 'call' in next ? [next.call] : next.calls) {
        const outcome = await this.run(call);
        if (!outcome.ok && ENDS_A_USE.includes(outcome.code)) return { text: `Error [${outcome.code}]: ${outcome.message}`, isError: true };
        outcomes.push(outcome);
      }
    }
  }

  write(path: string, content: string | Buffer): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), content);
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), 'utf8');
  }

  async stop(): Promise<void> {
    for (const id of Object.keys(this.marks.cursors)) await this.run({ tool: 'kill_process', args: { process_id: id } });
    rmSync(this.base, { recursive: true, force: true });
  }

  private has(name: string): boolean {
    if (this.options.without?.includes(name) === true) return false;
    return /^x[1-5]$/.test(name) || this.workspace.tools.includes(name) || Object.hasOwn(this.options.executors ?? {}, name);
  }

  private context(): UseContext {
    return {
      marks: this.marks,
      agent: 'coder',
      agents: ['orchestrator', 'coder', 'architect', 'debug', 'ask'],
      has: (name) => this.has(name),
      root: this.root,
      toPath: pathsUnder(this.root),
      toAbsolute: absoluteUnder(this.root),
      maxCharacters: 60_000,
    };
  }

  private async run(call: CanonicalCall): Promise<Outcome> {
    this.calls.push(call);
    const asked = this.options.decide !== undefined && EFFECTS.includes(call.tool);
    const decision = asked ? await this.options.decide?.(call) : undefined;
    if (decision !== undefined && 'deny' in decision) return { ...call, asked, ok: false, code: 'DENIED_BY_USER', message: decision.deny };
    const outcome = await this.execute(call.tool, decision?.args ?? call.args);
    const sent = { ...call, asked, edited: decision?.args };
    return outcome.ok
      ? { ...sent, ok: true, result: this.options.see?.(outcome.result) ?? outcome.result }
      : { ...sent, ok: false, ...outcome.error };
  }

  private async execute(tool: string, args: JsonObject): Promise<ToolOutcome> {
    const own = this.options.executors?.[tool];
    if (own !== undefined) return own(args);
    this.count += 1;
    const additions = this.has('x1');
    const signal = AbortSignal.timeout(60_000);
    return this.workspace.run(tool, args, { signal, callId: `call_${String(this.count)}`, approved: true, additions, sessionId: 's' });
  }
}
