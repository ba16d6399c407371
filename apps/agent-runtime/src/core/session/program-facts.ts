import type { ChildRecord, StepTool } from '@codelab/bus';
import { DEFAULT_DEADLINE_MS, isCanonicalTool, type ToolDefinition } from '@codelab/tools';

/** What a program that began the session through llm-proxy may use beside the tools of the executor. */
export interface ProgramFacts {
  /** `session_id` of the session that it runs in. */
  readonly parent: string;
  /** W3C trace context of the request that began it. */
  readonly traceparent?: string;
  /** Tools that only the program can run: a call of one is handed over to it. */
  readonly callerTools: readonly StepTool[];
  /** Tools that llm-proxy runs. */
  readonly serverTools: readonly ToolDefinition[];
  /** Rounds of tools that are run; 0: no count. */
  readonly maxToolRounds: number;
}

/**
 * The facts of a child. A tool of llm-proxy that has the name of a tool here, or of one of the executor, would be judged as that one, so it
 * is not offered (H1).
 */
export function toProgram(child: ChildRecord, executorTools: readonly ToolDefinition[]): ProgramFacts {
  const { parent, callerTools, serverTools, maxToolRounds, traceparent } = child;
  const taken = new Set(executorTools.map(({ name }) => name));
  return {
    ...{ parent, callerTools, maxToolRounds, traceparent },
    serverTools: serverTools.filter(({ name }) => !isCanonicalTool(name) && !taken.has(name)).map(toDefinition),
  };
}

/** It may do anything, whatever it says of itself. */
const toDefinition = ({ name, description, parameters }: StepTool): ToolDefinition => ({
  ...{ name, description, parameters },
  since: '1.0',
  group: 'process',
  access: 'write',
  idempotency: 'unsafe',
  deadlineMs: DEFAULT_DEADLINE_MS,
});
