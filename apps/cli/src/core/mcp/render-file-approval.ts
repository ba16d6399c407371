import type { McpConfigProblem, McpServerConfig } from '@codelab/mcp';
import { sanitiseLine } from '@codelab/tools/human';
import { span, type Line } from '../text/span.js';
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
}

/** Draws everything that a human needs to know before the programs of a file are started. Nothing of it is cut. */
export function renderFileApproval({ path, sha256, servers, problems, variables }: FileToApprove, width: number): readonly Line[] {
  const indent = [span('    ')];
  const wrapped = (text: string, style: 'plain' | 'muted' | 'warn', first = indent): readonly Line[] =>
    wrapSpans([span(text, style)], { width, first, rest: [span('      ')], breaks: 'anywhere' });
  const rows = servers.flatMap((config): readonly Line[] => {
    const kind = config.transport.kind === 'stdio' ? 'runs' : 'connects to';
    return [
      [span('  '), span(config.name, 'strong'), span(`  ${kind}${config.disabled ? ', but is off' : ''}`, 'muted')],
      ...wrapped(describeServer(config, Infinity), 'plain'),
      ...describeExtras(config).flatMap((extra) => wrapped(extra, 'muted')),
    ];
  });
  return [
    ...wrapSpans([span(`${path} of this folder names MCP servers. They run as you, on this machine:`, 'strong')], { width }),
    ...(rows.length === 0 ? [[span('  (none that can be used)', 'muted')]] : rows),
    ...problems.flatMap(({ line, field, message }) =>
      wrapped(sanitiseLine(`line ${line}, ${field}: ${message}`, 400), 'warn', [span('  ! ', 'warn')]),
    ),
    ...(variables.length === 0
      ? []
      : wrapped(`It reads of your environment: ${variables.map((name) => sanitiseLine(name, 100)).join(', ')}`, 'warn', [
          span('  ! ', 'warn'),
        ])),
    ...wrapSpans([span(`  SHA-256 ${sha256}`, 'muted')], { width, breaks: 'anywhere' }),
  ];
}
