import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { RE2JS } from 're2js';

/** Patterns come from servers: matched in linear time, whatever they are. One that RE2 does not know matches everything. */
const linear = Object.assign(
  (pattern: string): { test: (text: string) => boolean } => {
    try {
      const compiled = RE2JS.compile(pattern);
      return { test: (text) => compiled.matcher(text).find() };
    } catch {
      return { test: () => true };
    }
  },
  { code: 'linear' },
);

/** Judges a value by a schema of a server. Made anew for each schema: none of them stays in it under its `$id`. */
export function compileSchema(schema: object): ValidateFunction {
  const { $schema: _, $id: __, ...bare } = schema as { readonly $schema?: unknown; readonly $id?: unknown };
  const ajv = new Ajv2020({
    strict: false,
    validateFormats: false,
    validateSchema: false,
    logger: false,
    code: { regExp: linear },
  });
  return ajv.compile(bare);
}

/** Whether a value is nested no deeper than `depth`; bounded work for values that came as JSON. */
export function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((inner) => isShallow(inner, depth - 1));
}
