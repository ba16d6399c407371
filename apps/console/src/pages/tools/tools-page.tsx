import { useMemo } from 'react';
import { ChoiceField, Filters, SearchField } from '../../parts/filters.js';
import { Loading, Table, type Column } from '../../parts/list-view.js';
import { Page } from '../../parts/page.js';
import { Tag } from '../../parts/tag.js';
import { TroubleBox } from '../../parts/trouble-box.js';
import { useList } from '../../resource/use-list.js';
import { useResource } from '../../resource/use-resource.js';
import { nameOf, type SessionInfo } from '../../rest/sessions.js';
import { readTools, type McpServerInfo, type ToolInfo, type ToolList } from '../../rest/tools.js';

const REFRESH_MS = 15_000;
const SOURCES: Readonly<Record<string, string>> = {
  builtin: 'every client',
  client: 'this client',
  mcp: 'MCP server',
  http: 'a URL',
  web: 'the web',
};

/** What agents can call, and where it comes from. */
export function ToolsPage({ query }: { query: Readonly<Record<string, string>> }) {
  const { query: words = '', source = '', session_id: session = '' } = query;
  const tools = useResource(`tools ${session}`, () => readTools(session), { everyMs: REFRESH_MS });
  const sessions = useList<SessionInfo, 'sessions'>('/api/v1/sessions', 'sessions', { limit: 50 });
  const choices = [['', 'every session'], ...(sessions.items ?? []).map((each) => [each.session_id, nameOf(each)] as const)] as const;
  return (
    <Page
      title="Tools & MCP"
      about="What a model can be given: what every client runs, what the servers run, and what the client of one session has beside it."
      wide
    >
      <Filters label="Session">
        <ChoiceField name="session_id" label="Tools of" value={session} choices={choices} />
      </Filters>
      {tools.trouble && <TroubleBox trouble={tools.trouble} onRetry={tools.reload} />}
      {tools.value ? <Tools {...tools.value} words={words} source={source} /> : !tools.trouble && <Loading />}
    </Page>
  );
}

function Tools({ tools, servers = [], words, source }: ToolList & { words: string; source: string }) {
  const sources = useMemo(
    () => [
      ['', 'anywhere'] as const,
      ...[...new Set(tools.map((tool) => tool.source))].sort().map((each) => [each, SOURCES[each] ?? each] as const),
    ],
    [tools],
  );
  const shown = tools.filter((tool) => (source === '' || tool.source === source) && fits(tool, words));
  return (
    <>
      {servers.length > 0 && (
        <>
          <h2>MCP servers</h2>
          <Table label="MCP servers" columns={SERVER_COLUMNS} items={servers} keyOf={({ name, where }) => `${where} ${name}`} />
          <h2>Tools</h2>
        </>
      )}
      <Filters label="Tools">
        <SearchField name="query" label="Search names and descriptions" value={words} />
        <ChoiceField name="source" label="From" value={source} choices={sources} />
      </Filters>
      {shown.length === 0 ? (
        <div className="co-empty">
          <p>{tools.length === 0 ? 'No client is connected, and the servers run no tools.' : 'No tool matches.'}</p>
        </div>
      ) : (
        <ul className="co-rows" aria-label="Tools">
          {shown.map((tool) => (
            <li key={`${tool.source} ${tool.name}`}>
              <ToolRow tool={tool} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const fits = ({ name, description = '' }: ToolInfo, words: string): boolean =>
  `${name} ${description}`.toLowerCase().includes(words.trim().toLowerCase());

function ToolRow({ tool }: { tool: ToolInfo }) {
  return (
    <details className="co-row co-tool">
      <summary>
        <code className="co-name">{tool.name}</code>
        <Tag>{SOURCES[tool.source] ?? tool.source}</Tag>
        {tool.access !== undefined && (
          <Tag tone={tool.access === 'write' ? 'warn' : 'plain'}>{tool.access === 'write' ? 'changes things' : 'reads'}</Tag>
        )}
        <span className="co-muted co-first-line">{firstLine(tool.description)}</span>
      </summary>
      {tool.description !== undefined && <p className="co-description">{tool.description}</p>}
      {tool.input_schema !== undefined && (
        <>
          <p className="co-faint">Arguments</p>
          <pre className="co-code">{JSON.stringify(tool.input_schema, undefined, 2)}</pre>
        </>
      )}
    </details>
  );
}

const firstLine = (text = ''): string => text.split('\n', 1)[0] ?? '';

const SERVER_COLUMNS: readonly Column<McpServerInfo>[] = [
  { name: 'Server', show: ({ name }) => <strong>{name}</strong> },
  { name: 'Runs at', show: ({ where }) => where },
  {
    name: 'State',
    wide: true,
    show: ({ state = 'connected', error }) => (
      <>
        <Tag tone={error === undefined ? 'good' : 'bad'}>{state}</Tag> {error !== undefined && <span className="co-muted">{error}</span>}
      </>
    ),
  },
  { name: 'Tools', number: true, show: ({ tools }) => tools ?? '' },
];
