import { FRAMES, schemaOf, type AnyDefinition, type JsonSchema } from '@codelab/protocol';

/** Every definition, client frames first. */
export const definitions = (): AnyDefinition[] => [
  ...(Object.values(FRAMES.client) as unknown as AnyDefinition[]),
  ...(Object.values(FRAMES.server) as unknown as AnyDefinition[]),
];

const LOG_FIELDS: JsonSchema = {
  seq: { type: 'integer', minimum: 1, description: '1, 2, 3 … in the life of the log that `epoch` names.' },
  prev_seq: {
    type: 'integer',
    minimum: 0,
    description: 'The frame before this one, where frames between were left out for this client or coalesced.',
  },
  redelivered: { type: 'boolean', description: 'The frame was sent before.' },
};

/** The JSON Schema of one frame, `type` included. */
export function frameSchema(definition: AnyDefinition): JsonSchema {
  const body = schemaOf(definition.body) as { properties: JsonSchema; required: string[] };
  const logged = definition.from === 'server' && (definition.log || definition.type === 'tool_call');
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: definition.type,
    description: definition.summary,
    type: 'object',
    properties: { type: { const: definition.type }, ...body.properties, ...(logged ? LOG_FIELDS : {}) },
    required: ['type', ...body.required],
  };
}

/** `schema/<direction>/<type>.json` for every frame. */
export const frameSchemaFiles = (): Record<string, string> =>
  Object.fromEntries(
    definitions().map((definition) => [
      `packages/protocol/schema/${definition.from}/${definition.type}.json`,
      `${JSON.stringify(frameSchema(definition), null, 2)}\n`,
    ]),
  );
