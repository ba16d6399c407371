import { Rule, schemaOf, SESSION_MODES, type JsonSchema } from '@codelab/protocol';

const text = (description: string): JsonSchema => ({ type: 'string', description });
const whole = (description: string): JsonSchema => ({ type: 'integer', description });

/** A session. */
export const SESSION_SCHEMA: JsonSchema = {
  type: 'object',
  required: ['session_id', 'status', 'agent', 'mode', 'seq', 'epoch'],
  properties: {
    session_id: text('The name that its owner uses.'),
    title: text('A title, or empty.'),
    created_at_ms: whole('Unix time.'),
    updated_at_ms: whole('Unix time of the last change.'),
    status: { type: 'string', enum: ['idle', 'running', 'cancelling'] },
    turn_id: text('The turn that runs.'),
    model: text('The model, or empty for the default.'),
    agent: text('The agent mode.'),
    mode: { type: 'string', enum: [...SESSION_MODES] },
    vocabulary: text('How the model sees the tools.'),
    executor: text('`client_id` of the client that executes the tools; `seed` for one without identity; absent for none.'),
    executor_connected: {
      type: 'boolean',
      description: 'Whether that client is connected now; not told of a session that was just made or changed.',
    },
    workspace: { type: 'object', description: 'What the executor said of its folder.' },
    epoch: text('The life of the log.'),
    seq: whole('The last frame of the log.'),
    todos: { type: 'array', items: { type: 'object' }, description: 'The task list; shown of one session, not in lists.' },
    history_items: whole('Items in the history.'),
    user_messages: whole('Messages of the user among them; absent where a release began the session that didn’t count.'),
    client_grace_ms: whole('Milliseconds after which an absent client fails its calls; 0: never.'),
    server_side_decisions: {
      type: 'boolean',
      description: 'Questions are decided by `hitl_decision` only, also for clients without identity.',
    },
  },
};

/** Narrows a list to one session. */
export const OF_SESSION: JsonSchema = text('Only of this session.');

const OUTCOMES = [
  ...['allowed', 'asked', 'denied', 'approved', 'edited', 'rejected', 'expired', 'cancelled', 'rule_created', 'rule_removed'],
];

/** A row of the audit trail. */
export const AUDIT_SCHEMA: JsonSchema = {
  type: 'object',
  required: ['at_ms', 'outcome', 'by'],
  properties: {
    at_ms: whole('Unix time.'),
    session_id: text('The session; absent for a rule that was made outside of one.'),
    turn_id: text('The turn.'),
    call_id: text('The call.'),
    tool_name: text('The tool, by its canonical name.'),
    args_sha256: text('The digest of the arguments decided on; of an edit those to run.'),
    target: text('What was decided on, secrets masked: the paths, the head of the command, what the rule does.'),
    outcome: {
      type: 'string',
      enum: OUTCOMES,
      description: '`allowed`, `asked`, `denied`: what the policy says of a new call. The others: what became of a question, or of a rule.',
    },
    by: text('Who decided: a subject, `executor`, or `policy`.'),
    reason: text('Why, without arguments.'),
    rule_id: text('The rule that decided, or that was made or revoked.'),
    origin: {
      type: 'string',
      enum: ['proxy', 'task'],
      description: 'A program asked for it through llm-proxy, using the session; or an agent that works on a part of the task.',
    },
  },
};

/** A rule that is kept. */
export const RULE_SCHEMA: JsonSchema = {
  type: 'object',
  required: ['rule_id', 'scope', 'rule', 'description', 'created_at_ms', 'by'],
  properties: {
    rule_id: text('Names it; the same rule has the same name.'),
    scope: { type: 'string', enum: ['session', 'project', 'user'] },
    rule: { ...schemaOf(Rule), description: 'The rule.' },
    description: text('What it does, as a sentence.'),
    session_id: text('The session of a session rule.'),
    workspace_id: text('The workspace of a project rule, by `workspace.id`.'),
    created_at_ms: whole('Unix time.'),
    by: text('Who made it.'),
    expires_at_ms: whole('Unix time at which it ends.'),
  },
};

/** A part of a list. `next_cursor` asks for the next part; without it this was the last. */
export const pageOf = (name: string, items: JsonSchema): JsonSchema => ({
  type: 'object',
  required: [name],
  properties: { [name]: { type: 'array', items }, next_cursor: text('Send it as `cursor` for the next part.') },
});

/** The query parameters of a list. */
export const PAGE_QUERY: Readonly<Record<string, JsonSchema>> = {
  cursor: text('`next_cursor` of the part before.'),
  limit: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
};
