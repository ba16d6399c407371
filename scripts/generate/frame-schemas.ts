import { FRAMES, frameSchema, type AnyDefinition } from '@codelab/protocol';

/** Every definition, client frames first. */
export const definitions = (): AnyDefinition[] => [
  ...(Object.values(FRAMES.client) as unknown as AnyDefinition[]),
  ...(Object.values(FRAMES.server) as unknown as AnyDefinition[]),
];

/** `schema/<direction>/<type>.json` for every frame. */
export const frameSchemaFiles = (): Record<string, string> =>
  Object.fromEntries(
    definitions().map((definition) => [
      `packages/protocol/schema/${definition.from}/${definition.type}.json`,
      `${JSON.stringify(frameSchema(definition), null, 2)}\n`,
    ]),
  );
