import * as vscode from 'vscode';
import type { ToolExecutor } from '@codelab/client';
import { isJsonObject } from '@codelab/tools';

const POLL_MS = 500;

/** Shows each process that the agent starts for longer in a terminal of its own: its output as it comes; `Ctrl+C` there ends it. */
export class ProcessTerminals implements vscode.Disposable {
  private readonly shown = new Map<string, vscode.Terminal>();

  /** The run of an executor, watched for processes that begin. */
  watch(run: ToolExecutor['run']): ToolExecutor['run'] {
    return async (toolName, args, context) => {
      const outcome = await run(toolName, args, context);
      const id = args['process_id'];
      const began = toolName === 'run_persistent' && (args['action'] ?? 'start') === 'start' && outcome.ok;
      if (began && typeof id === 'string') this.show(id, String(args['command']), run);
      return outcome;
    };
  }

  dispose(): void {
    for (const terminal of this.shown.values()) terminal.dispose();
  }

  private show(id: string, command: string, run: ToolExecutor['run']): void {
    this.shown.get(id)?.dispose();
    const pty = new ProcessTerminal(id, command, run);
    const terminal = vscode.window.createTerminal({ name: `CodeLab: ${id}`, pty, iconPath: new vscode.ThemeIcon('beaker') });
    this.shown.set(id, terminal);
    terminal.show(true);
  }
}

/** Follows the output of one process. */
class ProcessTerminal implements vscode.Pseudoterminal {
  private readonly written = new vscode.EventEmitter<string>();
  readonly onDidWrite = this.written.event;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private offset = 0;

  constructor(
    private readonly id: string,
    private readonly command: string,
    private readonly run: ToolExecutor['run'],
  ) {}

  open(): void {
    this.written.fire(`\u001b[2m$ ${printable(this.command)}\u001b[0m\r\n`);
    void this.follow();
  }

  close(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.written.dispose();
  }

  handleInput(data: string): void {
    if (data === '\u0003') void this.ask('kill_process', { process_id: this.id });
  }

  private async follow(): Promise<void> {
    const result = await this.ask('run_persistent', { action: 'status', process_id: this.id, offset: this.offset });
    if (result === undefined) return;
    const { output, next_offset: next, status, exit_code: code } = result;
    if (typeof output === 'string' && output !== '') this.written.fire(output.replaceAll(/\r?\n/g, '\r\n'));
    if (typeof next === 'number') this.offset = next;
    if (status === 'running') this.timer = setTimeout(() => void this.follow(), POLL_MS);
    else this.written.fire(`\r\n\u001b[2m${String(status)}${typeof code === 'number' ? ` (${String(code)})` : ''}\u001b[0m\r\n`);
  }

  private async ask(tool: string, args: Record<string, string | number>): Promise<Readonly<Record<string, unknown>> | undefined> {
    const outcome = await this.run(tool, args, {
      ...{ signal: new AbortController().signal, callId: `terminal:${this.id}`, approved: true },
      onOutput: () => undefined,
    });
    return outcome.ok && isJsonObject(outcome.result) ? outcome.result : undefined;
  }
}

// oxlint-disable-next-line no-control-regex -- what steers a terminal must not come from a model
const printable = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, ' ');
