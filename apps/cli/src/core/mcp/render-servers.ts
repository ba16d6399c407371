import { formatPlural } from '@codelab/client/view';
import type { McpConfigProblem, McpServerState } from '@codelab/mcp';
import { sanitiseLine } from '@codelab/tools/human';
import { span, type Line, type Span } from '../text/span.js';
import { wrapSpans } from '../text/wrap-spans.js';

/** A server as it is listed. */
export interface ListedServer {
  readonly state: McpServerState;
  /** The file that names it. */
  readonly file: string;
  /** What it is: see `describeServer`. */
  readonly what: string;
}

/** All that is listed. */
export interface ServerList {
  readonly servers: readonly ListedServer[];
  readonly problems: readonly McpConfigProblem[];
  readonly notes: readonly string[];
}

/**
 * Draws servers, each with its state, what it offers and what is wrong with it; then what is wrong with the files.
 *
 * @param nowMs says when one that is away is tried again; left out by what ends before that
 */
export function renderServers({ servers, problems, notes }: ServerList, width: number, nowMs?: number): readonly Line[] {
  const none =
    servers.length === 0
      ? wrapSpans([span('No MCP server is configured: codelab mcp add NAME -- COMMAND, or a URL, adds one.')], { width })
      : [];
  return [
    ...none,
    ...servers.flatMap((server, index) => [...(index === 0 ? [] : [[]]), ...renderServer(server, width, nowMs)]),
    ...(problems.length + notes.length === 0 ? [] : [[]]),
    ...problems.flatMap((problem) => marked('✗ ', 'bad', problemText(problem), width)),
    ...notes.flatMap((note) => marked('! ', 'warn', sanitiseLine(note, 400), width)),
  ];
}

/** A problem on one line, as compilers say theirs: file, line, field. */
export const problemText = ({ file, line, field, message }: McpConfigProblem): string =>
  sanitiseLine(`${file}:${line}: ${field === '' ? '' : `${field}: `}${message}`, 600);

function renderServer({ state, file, what }: ListedServer, width: number, nowMs: number | undefined): readonly Line[] {
  const { name, transport, title, version, notes } = state;
  const [mark, says] = stateOf(state, nowMs);
  const counts = [
    formatPlural(state.tools, 'tool'),
    formatPlural(state.prompts, 'prompt'),
    formatPlural(state.resources + state.resourceTemplates, 'resource'),
  ];
  const itself = title === undefined ? [] : [[title, version].filter(Boolean).join(' ')];
  const facts = [...(state.status.kind === 'ready' ? counts : []), transport, file, ...itself].map((fact) => sanitiseLine(fact, 200));
  return [
    ...wrapSpans([span(name, 'strong'), span('  '), ...says], { width, first: [mark], rest: [span('  ')] }),
    ...wrapSpans([span(facts.join(' · '), 'muted')], { width, first: INDENT, rest: INDENT }),
    ...wrapSpans([span(sanitiseLine(what, 400), 'muted')], { width, first: INDENT, rest: INDENT, breaks: 'anywhere' }),
    ...notes.flatMap((note) => marked('  ! ', 'warn', sanitiseLine(note, 400), width)),
  ];
}

const INDENT = [span('  ')];

const marked = (mark: string, style: 'bad' | 'warn', text: string, width: number): readonly Line[] =>
  wrapSpans([span(text)], { width, first: [span(mark, style)], rest: [span(' '.repeat(mark.length))] });

function stateOf({ status, name }: McpServerState, nowMs: number | undefined): readonly [mark: Span, says: readonly Span[]] {
  switch (status.kind) {
    case 'ready':
      return [span('● ', 'good'), [span('ready', 'good')]];
    case 'connecting':
      return [span('◌ ', 'accent'), [span('connecting …', 'accent')]];
    case 'needs_login':
      return [
        span('○ ', 'warn'),
        [span('wants a login', 'warn'), span(`: ${sanitiseLine(status.how, 200) || `codelab mcp login ${name}`}`)],
      ];
    case 'disabled':
      return [span('○ ', 'muted'), [span('off', 'muted')]];
    case 'failed': {
      const seconds =
        status.retryAt === undefined || nowMs === undefined ? undefined : Math.max(1, Math.round((status.retryAt - nowMs) / 1000));
      const again = seconds === undefined ? '' : ` (tries again in ${seconds} s)`;
      return [span('✗ ', 'bad'), [span('away', 'bad'), span(`: ${sanitiseLine(status.why, 400)}${again}`)]];
    }
  }
}
