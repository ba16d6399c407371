import { asObject, asText } from '../../../json/read-json.js';
import { UniqueNames } from '../../../names/unique-names.js';

/** How a caller declared a tool, and how it wants the tool's calls back. */
export interface DeclaredTool {
  readonly kind: 'function' | 'custom' | 'tool_search';
  readonly name: string;
  /** The group that the tool stands in: Codex has one for each MCP server, and finds a call by both names only. */
  readonly namespace?: string;
}

/**
 * The tools of one request under the names that a model sees. A tool in a namespace is `<namespace>__<tool>` there: neither chat nor messages
 * have groups, and two MCP servers may have tools of one name. Two tools never get one name.
 */
export class DeclaredTools {
  private readonly byModelName = new Map<string, DeclaredTool>();
  /** The model's names: by the name of a tool, then by its namespace. */
  private readonly modelNames = new Map<string, Map<string | undefined, string>>();
  private readonly names = new UniqueNames();

  /** Adds a tool; gives the model's name of it. A tool that is there already keeps its name. */
  add(tool: DeclaredTool): string {
    const alike = this.modelNames.get(tool.name) ?? new Map<string | undefined, string>();
    const known = alike.get(tool.namespace);
    if (known !== undefined) return known;
    const name = this.names.give(toModelName(tool.name, tool.namespace));
    this.byModelName.set(name, tool);
    this.modelNames.set(tool.name, alike.set(tool.namespace, name));
    return name;
  }

  /** How the tool that a model calls `name` was declared; a name that the model made up is a function of that name. */
  declared(name: string): DeclaredTool {
    return this.byModelName.get(name) ?? { kind: 'function', name };
  }

  /** The model's name of a declared tool. */
  find(name: string, namespace?: string): string | undefined {
    return this.modelNames.get(name)?.get(namespace);
  }

  /** The model's name of a tool that a choice names, with or without its namespace. */
  choose(choice: unknown): string | undefined {
    const { name, namespace } = asObject(choice);
    if (typeof name !== 'string') return undefined;
    const exact = this.find(name, asText(namespace)) ?? (this.byModelName.has(name) ? name : undefined);
    if (exact !== undefined) return exact;
    const alike = this.modelNames.get(name);
    return alike?.size === 1 ? [...alike.values()][0] : undefined;
  }

  /** The model's name of a tool in the history, declared or not. */
  nameOf(name: string, namespace?: string): string {
    return this.find(name, namespace) ?? toModelName(name, namespace);
  }
}

function toModelName(name: string, namespace: string | undefined): string {
  if (namespace === undefined) return name;
  return namespace.endsWith('__') ? namespace + name : `${namespace}__${name}`;
}
