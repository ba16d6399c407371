import type { Bus } from '@codelab/bus/redis';
import type { Logger } from '@codelab/service-shell';
import type { KeyEntries } from '../core/accounting/key-entries.js';
import { createToolRuns } from '../core/tool-runs/create-tool-runs.js';
import type { Egress } from '../core/egress/egress.js';
import type { ToolRuns } from '../core/serve/tool-runs.js';
import { serveModel, type ServePorts } from '../core/serve/serve-model.js';

/** What requests for tools need of this process. */
export interface ToolRunParts {
  readonly bus: Pick<Bus, 'children' | 'serverTools' | 'store' | 'streams' | 'handovers' | 'toolCalls'>;
  readonly keys: KeyEntries;
  readonly egress: Egress;
  /** How requests are answered that ask for no tools. */
  readonly serve: Omit<ServePorts, 'toolRuns'>;
  readonly logger: Logger;
  readonly autoTimeoutMs: number;
}

/** Wires the requests that ask for the tools of IDEs. */
export function openToolRuns({ bus, serve, logger, ...parts }: ToolRunParts): ToolRuns {
  return createToolRuns({
    ...{
      children: bus.children,
      serverTools: bus.serverTools,
      store: bus.store,
      streams: bus.streams,
      handovers: bus.handovers,
      toolCalls: bus.toolCalls,
    },
    ...parts,
    ...{ asked: serve, accounting: serve.accounting, now: Date.now, wait: serve.chain.wait },
    answer: (exchange, dialect) => serveModel(exchange, dialect, serve),
    // by its name only: a message can quote what it stumbled over (L1)
    onFault: (error) => logger.warn({ event: 'auto.fault', name: error instanceof Error ? error.name : 'unknown' }),
  });
}
