import { decodeClientFrame, LIMITS } from '@codelab/protocol';
import { nameOfTool, type DeclaredTool, type ToolExecutor } from '../calls/tool-executor.js';

/** A tool that isn't offered to models, and why: a clause for people. */
export interface LeftOutTool {
  readonly name: string;
  readonly why: string;
}

/** Several executors as one. */
export interface ComposedExecutor extends ToolExecutor {
  /** The tools that had no place, as of now. */
  readonly leftOut: readonly LeftOutTool[];
}

interface Composition {
  readonly lists: readonly (readonly DeclaredTool[])[];
  readonly tools: readonly DeclaredTool[];
  readonly owners: ReadonlyMap<string, ToolExecutor>;
  readonly leftOut: readonly LeftOutTool[];
}

/** Entries that `hello.tools` takes. */
const MAX_TOOLS = 256;
const { MAX_TOOLS_BYTES } = LIMITS;

/** The brackets of the list. */
const LIST_BYTES = 2;

/**
 * Makes one executor of several: each call goes to the one that has its tool. Of two tools with one name the one of the earlier executor
 * counts, and what no longer fits into `hello.tools` is left out from the end: see {@link ComposedExecutor.leftOut}. A call that runs stays with
 * the executor that it was given to, whatever becomes of the list.
 */
export function composeExecutors(executors: readonly ToolExecutor[]): ComposedExecutor {
  let known: Composition | undefined;
  const now = (): Composition => {
    const lists = executors.map(({ tools }) => tools);
    const isSame = known !== undefined && lists.every((list, index) => list === known?.lists[index]);
    return isSame ? known! : (known = compose(executors, lists));
  };
  const ownerOf = (name: string): ToolExecutor | undefined => now().owners.get(name);
  const facts = executors.find(({ readFacts }) => readFacts !== undefined)?.readFacts;
  return {
    get tools() {
      return now().tools;
    },
    get leftOut() {
      return now().leftOut;
    },
    run: async (name, args, context) =>
      (await ownerOf(name)?.run(name, args, context)) ?? {
        ok: false,
        error: { code: 'TOOL_NOT_FOUND', message: `This client has no tool ${name} any more.` },
      },
    preview: async (name, args, signal, sessionId) => ownerOf(name)?.preview(name, args, signal, sessionId),
    findDoubt: async (name, args, signal, byRule) => ownerOf(name)?.findDoubt?.(name, args, signal, byRule),
    readFacts: facts,
    onToolsChanged(listener) {
      const ends = executors.map(({ onToolsChanged }) => onToolsChanged?.(listener));
      return () => ends.forEach((end) => end?.());
    },
  };
}

function compose(executors: readonly ToolExecutor[], lists: Composition['lists']): Composition {
  const tools: DeclaredTool[] = [];
  const owners = new Map<string, ToolExecutor>();
  const leftOut: LeftOutTool[] = [];
  let bytes = LIST_BYTES;
  for (const [index, list] of lists.entries()) {
    for (const tool of list) {
      const name = nameOfTool(tool);
      const why = owners.has(name) ? 'another tool has that name' : findWhy(tool, tools.length, bytes);
      if (why !== undefined) leftOut.push({ name, why });
      else {
        tools.push(tool);
        owners.set(name, executors[index]!);
        bytes += sizeOf(tool);
      }
    }
  }
  return { lists, tools, owners, leftOut };
}

/** Why a tool can't stand behind those that are there. */
function findWhy(tool: DeclaredTool, count: number, bytes: number): string | undefined {
  if (count >= MAX_TOOLS) return `a client declares at most ${MAX_TOOLS} tools`;
  const fault = faultOf(tool);
  if (fault !== undefined) return fault;
  const isTooLarge = bytes + sizeOf(tool) > MAX_TOOLS_BYTES;
  return isTooLarge ? `the definitions of all tools have at most ${MAX_TOOLS_BYTES / 1024} KB` : undefined;
}

/** With the comma behind it. */
const sizeOf = (tool: DeclaredTool): number => Buffer.byteLength(JSON.stringify(tool)) + 1;

const faults = new WeakMap<object, { readonly fault: string | undefined }>();

/** Why the servers would refuse a whole list for this tool: a schema of a thousand levels, say. One bad definition must not cost the others. */
function faultOf(tool: DeclaredTool): string | undefined {
  if (typeof tool === 'string') return undefined;
  const known = faults.get(tool) ?? { fault: findFault(tool) };
  faults.set(tool, known);
  return known.fault;
}

function findFault(tool: DeclaredTool): string | undefined {
  try {
    const decoded = decodeClientFrame(JSON.stringify({ type: 'hello', protocol_versions: ['1.0'], client_id: 'none', tools: [tool] }));
    return decoded.ok ? undefined : `its definition is not taken (${decoded.message})`;
  } catch (error) {
    return `its definition can't be sent (${error instanceof Error ? error.message : String(error)})`; // too deep to be written, say
  }
}
