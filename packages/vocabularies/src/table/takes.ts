import type { JsonSchema } from '@codelab/protocol';

/** The schema of a row's arguments: an object of these properties and no others. */
export const takes = <const Properties extends Readonly<Record<string, JsonSchema>>>(
  required: readonly (keyof Properties & string)[],
  properties: Properties,
): JsonSchema => ({ type: 'object', properties, required: [...required], additionalProperties: false });
