import type { TerminalHandle } from '@agentclientprotocol/sdk';
import type { OpenTerminal, TerminalCommand, Terminals } from '@codelab/workspace';
import type { Editor } from './editor.js';

/** The terminals of an editor: the user sees commands run in them, in the step of the call. */
export class EditorTerminals implements Terminals {
  private readonly ids = new Map<string, string>();

  constructor(private readonly editor: Editor) {}

  /** The terminal in which a call runs, or has run. */
  terminalOf(callId: string): string | undefined {
    return this.ids.get(callId);
  }

  async open({ callId, program, args, cwd, environment, maxBytes }: TerminalCommand): Promise<OpenTerminal> {
    const { client, sessionId } = this.editor;
    await this.editor.ready;
    const handle = await client.createTerminal({
      ...{ sessionId, cwd, command: program, args: [...args], outputByteLimit: maxBytes },
      env: Object.entries(environment).map(([name, value]) => ({ name, value })),
    });
    this.ids.set(callId, handle.id);
    this.editor.update({
      ...{ sessionUpdate: 'tool_call_update', toolCallId: callId, status: 'in_progress' },
      content: [{ type: 'terminal', terminalId: handle.id }],
    });
    return toTerminal(handle);
  }
}

function toTerminal(handle: TerminalHandle): OpenTerminal {
  const ended = handle.waitForExit().then(({ exitCode = null, signal = null }) => ({ exitCode, signal }));
  ended.catch(() => undefined); // who waits hears it
  return {
    ended,
    output: async () => {
      const { output, truncated } = await handle.currentOutput();
      return { text: output, truncated };
    },
    kill: async () => void (await handle.kill()),
    release: async () => void (await handle.release()),
  };
}
