import type { ForeignTool } from '@codelab/protocol';
import { DEFAULT_DEADLINE_MS, type ToolDefinition } from '@codelab/tools';

/**
 * The definition of a tool that only the executor has, as far as it is needed to judge edited arguments. Any object fits a tool that the
 * executor doesn't declare any more.
 * @param executorTools JSON text of the executor's `hello.tools`, or ''
 */
export function readForeignTool(executorTools: string, name: string): ToolDefinition {
  const declared = executorTools === '' ? [] : (JSON.parse(executorTools) as readonly (string | ForeignTool)[]);
  const found = declared.find((tool): tool is ForeignTool => typeof tool !== 'string' && tool.name === name);
  return {
    name,
    since: '1.0',
    group: 'process',
    access: 'write',
    idempotency: 'unsafe',
    description: found?.description ?? '',
    parameters: found?.input_schema ?? { type: 'object' },
    deadlineMs: DEFAULT_DEADLINE_MS,
  };
}
