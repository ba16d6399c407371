import type { AnyDefinition } from './define-frame.js';
import { schemaOf } from './fields.js';
import type { JsonSchema } from './json-schema.js';

/** What a frame of the log carries beside its own fields. */
export const LOG_FIELDS = {
  seq: {
    type: 'integer',
    minimum: 1,
    description: '1, 2, 3 … in the life of the log that `epoch` names; absent where the frame stands in no log of this session.',
  },
  prev_seq: {
    type: 'integer',
    minimum: 0,
    description: 'The last frame before this one, where frames between were left out for this client or coalesced; `seq` − 1 without.',
  },
  redelivered: { type: 'boolean', description: 'The frame was sent before, or stands in a snapshot.' },
} as const satisfies Readonly<Record<string, JsonSchema>>;

/**
 * The JSON Schema of one frame, `type` included. Of a client frame it takes what the decoder takes, but for what no schema says: the size
 * of the message, its nesting, the number of its fields.
 */
export function frameSchema(definition: AnyDefinition): JsonSchema {
  const isClients = definition.from === 'client';
  const body = schemaOf(definition.body, { takesNulls: isClients }) as { properties: JsonSchema; required: string[] };
  const constraints = isClients ? (definition.constraints ?? []) : [];
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: definition.type,
    description: definition.summary,
    type: 'object',
    properties: { type: { const: definition.type }, ...body.properties, ...(!isClients && definition.log ? LOG_FIELDS : {}) },
    required: ['type', ...body.required],
    ...(constraints.length === 0 ? {} : { allOf: constraints }),
  };
}
