import type { Prompt, Resource, ResourceTemplateType } from '@modelcontextprotocol/client';
import type { McpServerConfig } from '../config/mcp-server-config.js';
import type { ListKind } from '../connection/session-options.js';
import type { ServerSession } from '../connection/server-session.js';
import { readList } from '../lists/read-list.js';
import { MAX_PROMPTS, MAX_RESOURCES, MAX_TEMPLATES, toPrompt, toResource, toTemplate } from '../lists/to-others.js';
import { MAX_TOOLS, toTools } from '../lists/to-tools.js';
import type { McpTool } from './mcp-server-state.js';

/** What a server offers, as it was last read. */
export interface ServerLists {
  readonly tools: readonly McpTool[];
  readonly resources: readonly Resource[];
  readonly templates: readonly ResourceTemplateType[];
  readonly prompts: readonly Prompt[];
  /** What is to be said about each list. */
  readonly notes: Readonly<Record<ListKind, readonly string[]>>;
}

export const NO_LISTS: ServerLists = {
  tools: [],
  resources: [],
  templates: [],
  prompts: [],
  notes: { tools: [], resources: [], prompts: [] },
};

/** All pages of one list together. */
const READ_MS = 60_000;

/** Reads one kind of list anew; the others stay. A list that can't be read is empty, with a note. */
export async function readLists(kind: ListKind, session: ServerSession, config: McpServerConfig, lists: ServerLists): Promise<ServerLists> {
  if (session.capabilities[kind] === undefined) return { ...lists, ...EMPTY[kind], notes: { ...lists.notes, [kind]: [] } };
  const signal = AbortSignal.timeout(READ_MS);
  const noted = (notes: readonly string[]) => ({ ...lists.notes, [kind]: notes });
  try {
    if (kind === 'tools') {
      const page = (cursor: string | undefined) => session.listPage('tools/list', cursor, signal);
      const read = await readList({ page, field: 'tools', max: MAX_TOOLS, what: 'tools', wanted: (item) => isOffered(item, config) });
      const { tools, notes } = toTools(config.name, read.items, originOf(config));
      return { ...lists, tools, notes: noted([...read.notes, ...notes]) };
    }
    if (kind === 'prompts') {
      const page = (cursor: string | undefined) => session.listPage('prompts/list', cursor, signal);
      const read = await readList({ page, field: 'prompts', max: MAX_PROMPTS, what: 'prompts' });
      return { ...lists, prompts: keep(read.items, toPrompt), notes: noted(read.notes) };
    }
    const resources = await readList({
      page: (cursor) => session.listPage('resources/list', cursor, signal),
      field: 'resources',
      max: MAX_RESOURCES,
      what: 'resources',
    });
    const templates = await readList({
      page: (cursor) => session.listPage('resources/templates/list', cursor, signal),
      field: 'resourceTemplates',
      max: MAX_TEMPLATES,
      what: 'resource templates',
    }).catch(() => ({ items: [], notes: [] })); // many servers with resources have no templates, and answer with an error
    const notes = noted([...resources.notes, ...templates.notes]);
    return { ...lists, resources: keep(resources.items, toResource), templates: keep(templates.items, toTemplate), notes };
  } catch {
    return { ...lists, ...EMPTY[kind], notes: noted([`Its list of ${kind} could not be read.`]) };
  }
}

const EMPTY = { tools: { tools: [] }, resources: { resources: [], templates: [] }, prompts: { prompts: [] } } as const;

const keep = <T>(items: readonly unknown[], read: (item: unknown) => T | undefined): readonly T[] =>
  items.map(read).filter((item) => item !== undefined);

/** What a server is: its program with all that it is started with, or its address. What is sent there to be let in doesn't count. */
function originOf({ transport, origin }: McpServerConfig): string {
  if (transport.kind !== 'stdio') return JSON.stringify([origin, transport.url]);
  const { command, args, env, cwd } = transport;
  return JSON.stringify([origin, command, args, Object.entries(env).sort(), cwd]);
}

/** Whether the configuration lets a tool be offered. A name that is none goes on, to be told. */
function isOffered(item: unknown, { includeTools, excludeTools }: McpServerConfig): boolean {
  const name = (item as { readonly name?: unknown } | null)?.name;
  if (typeof name !== 'string') return true;
  const matches = (patterns: readonly string[]): boolean => patterns.some((pattern) => matchesPattern(pattern, name));
  return (includeTools === undefined || matches(includeTools)) && !matches(excludeTools ?? []);
}

/** Whether a name matches a pattern in which `*` stands for any text; in linear time. */
export function matchesPattern(pattern: string, name: string): boolean {
  const [first, ...rest] = pattern.split('*') as [string, ...string[]];
  if (rest.length === 0) return pattern === name;
  if (!name.startsWith(first)) return false;
  const last = rest.pop()!;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}
