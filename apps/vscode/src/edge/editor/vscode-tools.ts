import * as vscode from 'vscode';
import type { HostTools } from '../../core/tools/host-tools.js';

/** Extensions may register tools at any time, and no event says so. */
const LOOK_MS = 2_000;

/** The tools of the editor and of its extensions. */
export const vscodeTools: HostTools = {
  list: () => vscode.lm.tools,
  onChange(listener) {
    const timer = setInterval(listener, LOOK_MS);
    return () => clearInterval(timer);
  },
  async invoke(name, input, signal) {
    const source = new vscode.CancellationTokenSource();
    const cancel = (): void => source.cancel();
    signal.addEventListener('abort', cancel);
    try {
      const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined }, source.token);
      return content.map(toText);
    } finally {
      signal.removeEventListener('abort', cancel);
      source.dispose();
    }
  },
};

const toText = (part: unknown): string => {
  if (part instanceof vscode.LanguageModelTextPart) return part.value;
  const { value = part } = part as { readonly value?: unknown };
  return typeof value === 'string' ? value : JSON.stringify(value);
};
