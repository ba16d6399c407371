import type { McpConfigProblem, McpServerConfig } from '@codelab/mcp';
import { sanitiseLine } from '@codelab/tools/human';
import { span, type Line, type StyleName } from '../text/span.js';
import { wrapSpans } from '../text/wrap-spans.js';
import { describeExtras, describeServer } from './describe-server.js';

/** A file of a workspace that waits for approval. */
export interface FileToApprove {
  readonly path: string;
  readonly sha256: string;
  /** As the file says, its `${VARIABLES}` not put in. */
  readonly servers: readonly McpServerConfig[];
  readonly problems: readonly McpConfigProblem[];
  /** The variables of the person's environment that it would read. */
  readonly variables: readonly string[];
  /** It had another content when a human said this of it; `servers`: what they approved, where that is known. */
  readonly before?: { readonly since: 'approved' | 'refused'; readonly servers?: readonly McpServerConfig[] | undefined } | undefined;
}

/**
 * Draws everything that a human needs to know before the programs of a file are started, and how it differs from what they approved before.
 * Nothing of it is cut.
 */
export function renderFileApproval(file: FileToApprove, width: number): readonly Line[] {
  const { path, sha256, servers, problems, variables, before } = file;
  const wrapped = (text: string, style: StyleName, first: string): readonly Line[] =>
    wrapSpans([span(text, style)], { width, first: [span(first, style)], rest: [span('      ')], breaks: 'anywhere' });
  const known = before?.servers;
  const rows = [
    ...servers.flatMap((config) => serverRows(config, known && (known.find(({ name }) => name === config.name) ?? 'none'), wrapped)),
    ...(known ?? []).filter(({ name }) => !servers.some((one) => one.name === name)).flatMap((gone) => goneRows(gone, wrapped)),
  ];
  const changed = before === undefined ? '' : `changed since you ${before.since} it. It `;
  return [
    ...wrapSpans([span(`${path} of this folder ${changed}names MCP servers. They run as you, on this machine:`, 'strong')], { width }),
    ...(rows.length === 0 ? [[span('  (none that can be used)', 'muted')]] : rows),
    ...problems.flatMap(({ line, field, message }) => wrapped(sanitiseLine(`line ${line}, ${field}: ${message}`, 400), 'warn', '  ! ')),
    ...(variables.length === 0
      ? []
      : wrapped(`It reads of your environment: ${variables.map((name) => sanitiseLine(name, 100)).join(', ')}`, 'warn', '  ! ')),
    ...wrapSpans([span(`  SHA-256 ${sha256}`, 'muted')], { width, breaks: 'anywhere' }),
  ];
}

type Wrap = (text: string, style: StyleName, first: string) => readonly Line[];

/** All that is said of a server: what it runs, then what else it gets. */
const wordsOf = (config: McpServerConfig): readonly string[] => [describeServer(config, Infinity), ...describeExtras(config)];
const kindOf = ({ transport, disabled }: McpServerConfig): string =>
  `${transport.kind === 'stdio' ? 'runs' : 'connects to'}${disabled ? ', but is off' : ''}`;

/** @param before the server that was approved under this name, `none` where there was none, `undefined` where nothing is compared */
function serverRows(config: McpServerConfig, before: McpServerConfig | 'none' | undefined, wrapped: Wrap): readonly Line[] {
  const words = wordsOf(config);
  const earlier = before === undefined ? words : before === 'none' ? [] : wordsOf(before);
  const gone = earlier.filter((line) => !words.includes(line));
  const isSame = before !== 'none' && before !== undefined && gone.length === 0 && words.every((line) => earlier.includes(line));
  const note =
    before === undefined ? '' : before === 'none' ? ' · new' : isSame && kindOf(before) === kindOf(config) ? ' · as before' : ' · changed';
  return [
    [span('  '), span(config.name, 'strong'), span(`  ${kindOf(config)}`, 'muted'), span(note, isSame ? 'muted' : 'warn')],
    ...gone.flatMap((line) => wrapped(line, 'bad', '  - ')),
    ...words.flatMap((line, index) =>
      earlier.includes(line) ? wrapped(line, index === 0 ? 'plain' : 'muted', '    ') : wrapped(line, 'good', '  + '),
    ),
  ];
}

const goneRows = (config: McpServerConfig, wrapped: Wrap): readonly Line[] => [
  [span('  '), span(config.name, 'strong'), span('  is not there any more', 'muted')],
  ...wordsOf(config).flatMap((line) => wrapped(line, 'bad', '  - ')),
];
