import type { PublishedTool, SessionRef } from '@codelab/bus';
import { fillReferences, isFor, type ReadVariable, type ToolsFile, type UrlToolEntry } from '@codelab/config-file';
import type { Egress } from '@codelab/egress';
import { callByUrl } from '../call-by-url.js';
import { type PublishedSource, toPublished } from '../published.js';
import type { ServerTool, ServerToolSource } from '../server-tool.js';
import { entryPolicy } from './entry-policy.js';
import { operatorSecrets } from './operator-secrets.js';

const DEFAULT_TIMEOUT_MS = 60_000;

export interface UrlToolPorts {
  readonly file: Pick<ToolsFile, 'tools' | 'secrets'>;
  /** The way out to a URL of the file, which may be at a private address. */
  readonly egressFor: (url: string) => Pick<Egress, 'fetch'>;
  readonly readVariable: ReadVariable;
}

/** The tools by URL of the tools file, for those who see them. */
export class UrlTools implements ServerToolSource, PublishedSource {
  private readonly tools: readonly (readonly [entry: UrlToolEntry, tool: ServerTool])[];
  private readonly all: readonly PublishedTool[];
  /** Lists by who sees what: there are few. */
  private readonly lists = new Map<string, readonly ServerTool[]>();

  constructor(ports: UrlToolPorts) {
    const all = Object.entries(ports.file.tools).filter(([, { policy }]) => policy !== 'deny');
    this.tools = all.map(([name, entry]) => [entry, toTool(name, entry, ports)]);
    this.all = this.tools.map(([{ tags = [], owners, tenants }, tool]) => toPublished(tool, { source: 'http', tags, owners, tenants }));
  }

  published(): readonly PublishedTool[] {
    return this.all;
  }

  list({ owner }: SessionRef): Promise<readonly ServerTool[]> {
    const seen = this.tools.map(([entry]) => isFor(entry, owner));
    const known = this.lists.get(seen.join()) ?? this.tools.flatMap(([, tool], place) => (seen[place] === true ? [tool] : []));
    this.lists.set(seen.join(), known);
    return Promise.resolve(known);
  }
}

function toTool(name: string, entry: UrlToolEntry, { file, egressFor, readVariable }: UrlToolPorts): ServerTool {
  const {
    description,
    input_schema: inputSchema,
    url,
    tags = [],
    timeout_ms: timeoutMs = DEFAULT_TIMEOUT_MS,
    idempotency = 'unsafe',
  } = entry;
  const secrets = operatorSecrets(file, readVariable);
  /** Secrets are put in where the call is made. */
  const fill = (text: string) =>
    fillReferences(text, (reference) => (reference.kind === 'env' ? readVariable(reference.name) : `\${secret:${reference.name}}`));
  return {
    definition: {
      ...{ name, description, idempotency, parameters: inputSchema, deadlineMs: timeoutMs },
      ...{ since: '1.0', group: 'process', access: 'write', source: 'http' },
    },
    policy: entryPolicy(entry.policy, `calls ${name}, a tool of the operator`),
    run: (_args, run) => {
      const headers = Object.fromEntries(Object.entries(entry.headers ?? {}).map(([header, value]) => [header, fill(value)]));
      const tool = {
        name,
        description,
        inputSchema: inputSchema as Readonly<Record<string, unknown>>,
        url,
        headers,
        tags,
        timeoutMs,
        idempotency,
      };
      return callByUrl(tool, run.argumentsText, { egress: egressFor(url), secrets, signal: run.signal });
    },
  };
}
