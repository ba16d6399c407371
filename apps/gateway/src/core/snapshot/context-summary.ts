import type { SessionReads, SessionRef, StepPrompt } from '@codelab/bus';
import { estimateTokens, type HistoryItem, historyToMessages, type ModelRequest } from '@codelab/llm';
import type { WorkspaceKnowledge } from '@codelab/tools';

/** What fills the context of a session's next request, as REST shows it. Tokens are estimates. */
export interface ContextSummary {
  /** Of the texts of the system prompt; absent before the first request. */
  readonly prompt_version?: number;
  readonly tokens: {
    /** The system prompt without the instructions in it. */
    readonly system: number;
    /** Instructions that are in it. */
    readonly instructions: number;
    readonly tools: number;
    /** What the model is shown of the conversation, notes with instructions included. */
    readonly history: number;
    readonly total: number;
  };
  /** The files that say how to work here, the most general first. `use`: when the model is told of it. */
  readonly instructions: readonly {
    readonly path: string;
    readonly scope: string;
    readonly name: string;
    readonly description?: string;
    readonly use: string;
    readonly bytes: number;
    readonly tokens: number;
    readonly omitted?: string;
  }[];
  /** The agents that people describe in files. */
  readonly agents: readonly { readonly name: string; readonly path: string; readonly scope: string; readonly description?: string }[];
}

const tokensOf = (request: Partial<ModelRequest>): number => estimateTokens({ model: '', messages: [], tools: [], ...request });

/** Of a text by itself, without a message around it. */
const tokensOfText = (text: string): number =>
  text === ''
    ? 0
    : tokensOf({ messages: [{ role: 'user', parts: [{ kind: 'text', text }] }] }) - tokensOf({ messages: [{ role: 'user', parts: [] }] });

/**
 * Sums up a context.
 *
 * @param prompt the `StepPrompt` of the last request, '' before the first
 * @param first what the session began with, which its prompt says
 */
export function summariseContext(
  prompt: string,
  { first, latest }: { readonly first: WorkspaceKnowledge; readonly latest: WorkspaceKnowledge },
  history: readonly HistoryItem[],
): ContextSummary {
  const { system = '', tools = [], version } = (prompt === '' ? {} : JSON.parse(prompt)) as Partial<StepPrompt>;
  const told = system === '' ? [] : first.instructions.filter(({ use }) => use === 'always');
  const instructions = told.reduce((sum, { text }) => sum + tokensOfText(text), 0);
  const tokens = {
    system: Math.max(0, tokensOfText(system) - instructions),
    instructions,
    tools: tokensOf({ tools }),
    history: tokensOf({ messages: historyToMessages(history, (name) => name) }),
  };
  return {
    prompt_version: version,
    tokens: { ...tokens, total: tokens.system + tokens.instructions + tokens.tools + tokens.history },
    instructions: latest.instructions.map(({ path, scope, name, description, use, bytes, omitted, text }) => ({
      ...{ path, scope, name, description, use, bytes, omitted },
      tokens: tokensOfText(text),
    })),
    agents: latest.agents.map(({ name, path, scope, description }) => ({ name, path, scope, description })),
  };
}

/** Items that are read at a time. */
const PAGE = 500;

/** The whole history: how much of it a model is shown is told by its last items. */
export async function readWholeHistory(store: Pick<SessionReads, 'readHistory'>, session: SessionRef): Promise<readonly HistoryItem[]> {
  const items: HistoryItem[] = [];
  for (let from = 0; ; from += PAGE) {
    const page = await store.readHistory(session, { from, limit: PAGE });
    for (const text of page.items) items.push(JSON.parse(text) as HistoryItem);
    if (page.items.length < PAGE) return items;
  }
}
