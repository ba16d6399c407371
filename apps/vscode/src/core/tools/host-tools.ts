import type { RunContext, ToolArguments, ToolExecutor, ToolOutcome } from '@codelab/client';
import type { ForeignTool } from '@codelab/protocol';
import { canonicalJson, isCanonicalTool, isCapability, type JsonObject } from '@codelab/tools';
import { createHash } from 'node:crypto';

/** A tool of the editor or of one of its extensions. */
export interface HostTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema?: object;
  readonly tags: readonly string[];
}

/** What is used of the editor's tools. */
export interface HostTools {
  /** As of now. */
  list(): readonly HostTool[];
  /** Hears when the list may have become another; returns what ends it. */
  onChange(listener: () => void): () => void;
  /** Runs one; the texts of its result, in order. */
  invoke(name: string, input: ToolArguments, signal: AbortSignal): Promise<readonly string[]>;
}

/** Characters of a description that models get, and of a result. */
const MAX_DESCRIPTION = 4_000;
const MAX_OUTPUT = 200_000;

/** Tools of ours: other clients of this window may offer them, and they would come back to us. */
const OWN = /^codelab[_.]/;

/**
 * The editor's own tools as an executor. Each is foreign and unsafe, whatever it says of itself, and runs only after somebody approved that very
 * call; what was approved is bound to what the editor said of the tool then (H2).
 */
export function hostToolExecutor(host: HostTools, isOn: () => boolean): ToolExecutor {
  let offer: { readonly key: string; readonly tools: readonly ForeignTool[] } = { key: '', tools: [] };
  const present = (): readonly ForeignTool[] => {
    const listed = isOn() ? host.list().filter(isOffered) : [];
    const key = JSON.stringify(listed.map(({ name, description, inputSchema, tags }) => [name, description, inputSchema, tags]));
    if (key !== offer.key) offer = { key, tools: listed.map(toForeignTool) };
    return offer.tools;
  };
  const find = (name: string): ForeignTool | undefined => present().find((tool) => tool.name === name);
  return {
    get tools() {
      return present();
    },
    onToolsChanged(listener) {
      let known = present();
      return host.onChange(() => {
        const now = present();
        if (now === known) return;
        known = now;
        listener();
      });
    },
    async run(name: string, args: ToolArguments, context: RunContext): Promise<ToolOutcome> {
      const tool = find(name);
      if (tool === undefined) return refuse('TOOL_NOT_FOUND', `The editor has no tool ${name} any more.`);
      if (context.approved !== true)
        return refuse('PERMISSION_DENIED', `Nobody approved ${name}: a tool of the editor runs only after somebody did.`);
      const shown = context.operands?.find(({ path }) => path === uriOf(name));
      if (shown !== undefined && shown.sha256 !== digestOf(tool))
        return refuse('APPROVAL_MISMATCH', `${name} has become another tool while the call waited. Nothing was done.`);
      const texts = await host.invoke(name, args, context.signal);
      const output = texts.join('\n');
      return { ok: true, result: { output: output.length > MAX_OUTPUT ? `${output.slice(0, MAX_OUTPUT)}\n… cut` : output } };
    },
    async preview(name, args) {
      const tool = find(name);
      if (tool === undefined) return undefined;
      const text = `The editor's tool ${name}\n${JSON.stringify(args, undefined, 2)}`;
      return { preview: { kind: 'text', text }, operands: [{ path: uriOf(name), sha256: digestOf(tool) }] };
    },
  };
}

const isOffered = ({ name, description }: HostTool): boolean =>
  !OWN.test(name) && !isCanonicalTool(name) && !isCapability(name) && name !== '' && description !== '';

const toForeignTool = ({ name, description, inputSchema, tags }: HostTool): ForeignTool => ({
  ...{ name, description: description.slice(0, MAX_DESCRIPTION) },
  input_schema: (inputSchema as Readonly<Record<string, unknown>> | undefined) ?? { type: 'object', properties: {} },
  tags: ['vscode', ...tags.slice(0, 8)],
  idempotency: 'unsafe',
});

const uriOf = (name: string): string => `vscode-tool://${name}`;

const digestOf = (tool: ForeignTool): string =>
  createHash('sha256')
    .update(canonicalJson(JSON.parse(JSON.stringify(tool)) as JsonObject))
    .digest('hex');

const refuse = (code: 'TOOL_NOT_FOUND' | 'PERMISSION_DENIED' | 'APPROVAL_MISMATCH', message: string): ToolOutcome => ({
  ok: false,
  error: { code, message },
});
