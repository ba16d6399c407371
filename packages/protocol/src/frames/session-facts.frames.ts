import { defineServerFrame } from '../define-frame.js';
import { Choice, Integer, LooseList, Nested, Text } from '../fields.js';
import { SESSION_MODES, type SessionMode } from './hello.frame.js';
import { ToolError } from './tool/tool-result.frame.js';

/** The agent mode changed. */
export class AgentSwitched {
  @Text('The mode now.') agent!: string;
  @Text('The mode before it, where an agent handed its turn over or has it back.', { optional: true }) from?: string;
  @Text('The turn that was handed over. The session keeps its agent, and another frame says so when the turn ends.', { optional: true })
  turn_id?: string;
  @Text('What the agent before it leaves to it.', { optional: true }) note?: string;
}

/** How much is asked changed: somebody chose another mode, or accepted a plan. */
export class ModeSwitched {
  @Choice('The mode now, for the next call on.', SESSION_MODES) mode!: SessionMode;
}

/** The task list changed. */
export class TodosUpdated {
  @LooseList('The whole list: `content`, `status`.', { maxItems: 256, items: { type: 'object' } }) todos!: object[];
}

/** The queue of waiting messages changed. */
export class QueueUpdated {
  @LooseList('The whole queue, in order: `message_id`, `content`.', { maxItems: 32, items: { type: 'object' } }) queue!: object[];
  @LooseList('Steered messages that wait for the next model request of the turn, in order: `message_id`, `content`. None without.', {
    optional: true,
    maxItems: 32,
    items: { type: 'object' },
  })
  steering?: object[];
}

/** Where a tool of a model's answer stands (docs/specification/calls.md#tool-status). */
export const TOOL_STATUSES = ['generating', 'generated', 'waiting_approval', 'calling', 'done', 'errored', 'canceled'] as const;

/** A tool's status changed. */
export class ToolStatus {
  @Text('The call, or the place of one that is still being written.') call_id!: string;
  @Text('The tool.', { optional: true }) tool_name?: string;
  @Choice('Where it stands.', TOOL_STATUSES) status!: (typeof TOOL_STATUSES)[number];
  @Nested('Why it failed, for people, where a call did: its message has at most 500 characters.', ToolError, { optional: true })
  error?: ToolError;
}

/** Why a model is asked again: `rate_limited` by the provider or by limits of ours, `overloaded`, or `unavailable`: it failed or took too long. */
export const RETRY_REASONS = ['rate_limited', 'overloaded', 'unavailable'] as const;
export type RetryReason = (typeof RETRY_REASONS)[number];

/** The model did not answer, and is asked again by itself. */
export class AgentRetry {
  @Choice('Why.', RETRY_REASONS) reason!: RetryReason;
  @Text('What the provider said, or the service: plain text for people, at most 300 characters.', { optional: true, max: 300 })
  message?: string;
  @Integer('The number of the attempt that follows, from 2.') attempt!: number;
  @Integer('How many there will be at most; none where time alone ends them.', { optional: true }) max_attempts?: number;
  @Integer('Until then, in milliseconds.') retry_after_ms!: number;
  @Integer('When, in Unix time: the servers’ clock.') retry_at_ms!: number;
}

/** What the agent does right now, for a spinner. */
export class AgentStatus {
  @Choice('What; `compacting`: it sums up what is older, to make room.', ['thinking', 'writing', 'waiting', 'compacting', 'idle'])
  status!: 'thinking' | 'writing' | 'waiting' | 'compacting' | 'idle';
  @Text('The turn.', { optional: true }) turn_id?: string;
  @Nested('It waits before the model is asked again; over with the next frame of this type, or with text.', AgentRetry, { optional: true })
  retry?: AgentRetry;
}

/** A piece of what the model thinks before it answers. */
export class AgentThought {
  @Text('The turn.') turn_id!: string;
  @Text('The new part: plain text or Markdown.') token!: string;
}

/** Another client executes the tools now. */
export class ExecutorChanged {
  @Choice('Who.', ['you', 'other', 'none']) executor!: 'you' | 'other' | 'none';
}

export const agentSwitched = defineServerFrame({
  type: 'agent_switched',
  body: AgentSwitched,
  log: true,
  optIn: true,
  summary: 'The agent mode changed. Answers `switch_agent`, or tells that an agent handed its turn over.',
});
export const modeSwitched = defineServerFrame({
  type: 'mode_switched',
  body: ModeSwitched,
  log: true,
  optIn: true,
  summary: 'How much is asked changed: by REST, by a client that joined with another mode, or by an accepted plan.',
});
export const todosUpdated = defineServerFrame({
  type: 'todos_updated',
  body: TodosUpdated,
  log: true,
  optIn: true,
  summary: 'The task list changed.',
});
export const queueUpdated = defineServerFrame({
  type: 'queue_updated',
  body: QueueUpdated,
  log: true,
  optIn: true,
  summary: 'The queue changed. Answers `queue_remove`.',
});
export const toolStatus = defineServerFrame({
  type: 'tool_status',
  body: ToolStatus,
  log: true,
  optIn: true,
  summary: 'A tool’s status changed.',
});
export const agentStatus = defineServerFrame({
  type: 'agent_status',
  body: AgentStatus,
  log: false,
  optIn: true,
  summary: 'What the agent does right now.',
});
export const agentThought = defineServerFrame({
  type: 'agent_thought',
  body: AgentThought,
  log: false,
  optIn: true,
  summary: 'What the model thinks, for people: it is told once, and neither kept nor replayed.',
});
export const executorChanged = defineServerFrame({
  type: 'executor_changed',
  body: ExecutorChanged,
  log: false,
  summary: 'Another client executes the tools now. Only `you` may run a call.',
});
