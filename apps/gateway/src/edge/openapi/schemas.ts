import type { JsonSchema } from '@codelab/protocol';

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
    mode: { type: 'string', enum: ['strict', 'medium', 'permissive'] },
    vocabulary: text('How the model sees the tools.'),
    executor: text('`client_id` of the client that executes the tools; `seed` for one without identity; absent for none.'),
    workspace: { type: 'object', description: 'What the executor said of its folder.' },
    epoch: text('The life of the log.'),
    seq: whole('The last frame of the log.'),
    history_items: whole('Items in the history.'),
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
