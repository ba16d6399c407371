import type { RunContext, ToolArguments, ToolExecutor, ToolOutcome } from '@codelab/client';
import { findSecretReason } from '@codelab/tools';
import { createHash } from 'node:crypto';

/** What the user looks at. `path`: in the workspace. */
export interface ActiveFile {
  readonly path: string;
  readonly text: string;
  readonly isDirty: boolean;
  /** Lines from 1. */
  readonly selection?: { readonly start_line: number; readonly end_line: number };
}

/** Capabilities of an editor and the tools that they are here: those see what the editor holds open themselves. */
const SAME: Readonly<Record<string, string>> = { 'editor.read': 'read_file', 'editor.write': 'write_file' };
const OPEN_FILE = 'editor.open_file';
const MAX_BYTES = 1024 * 1024;

/** The executor of a workspace that an editor holds open, with the capabilities of an editor. */
export function editorExecutor(base: ToolExecutor, active: () => ActiveFile | undefined): ToolExecutor {
  const named = (name: string): string => SAME[name] ?? name;
  return {
    ...base,
    tools: [...base.tools, ...Object.keys(SAME), OPEN_FILE],
    run: (name: string, args: ToolArguments, context: RunContext) =>
      name === OPEN_FILE ? Promise.resolve(describe(active())) : base.run(named(name), args, context),
    preview: async (name, args, signal, sessionId) => (name === OPEN_FILE ? undefined : base.preview(named(name), args, signal, sessionId)),
    findDoubt: async (name, args, signal, byRule) => base.findDoubt?.(named(name), args, signal, byRule),
  };
}

function describe(file: ActiveFile | undefined): ToolOutcome {
  if (file === undefined) return { ok: true, result: { dirty: false } };
  const { path, text, isDirty: dirty, selection } = file;
  if (findSecretReason(path) !== undefined) return { ok: true, result: { path, dirty, selection } };
  if (Buffer.byteLength(text) > MAX_BYTES)
    return { ok: false, error: { code: 'FILE_TOO_LARGE', message: `${path} has more than ${String(MAX_BYTES)} bytes: read parts of it.` } };
  const sha256 = createHash('sha256').update(text).digest('hex');
  return { ok: true, result: { path, content: text, sha256, dirty, selection } };
}
