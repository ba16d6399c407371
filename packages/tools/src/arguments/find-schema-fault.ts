import { Ajv2020 } from 'ajv/dist/2020.js';

/** Judges schemas by the schema of schemas; none of them is compiled, so that a schema from outside is read and never run. */
const judge = new Ajv2020({ strict: false, validateFormats: false });

/** What is wrong with a JSON Schema (2020-12), as a phrase that names the place; `undefined` if nothing is. */
export function findSchemaFault(schema: object): string | undefined {
  const { $schema: _, ...unnamed } = schema as { readonly $schema?: unknown }; // another draft's words are judged by the same rules
  if (judge.validateSchema(unnamed) === true) return undefined;
  const [first] = judge.errors ?? [];
  const where = first?.instancePath ? `at ${first.instancePath} ` : '';
  return `${where}${first?.message ?? 'is not valid'}`;
}
