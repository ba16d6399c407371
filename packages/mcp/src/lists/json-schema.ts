import { createContext, Script } from 'node:vm';
import { Ajv2020 } from 'ajv/dist/2020.js';
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

/** What a judgement may take, in milliseconds: a server can write a schema that takes years. */
const JUDGE_MS = 250;

const CALL = new Script('run()');

/** Runs it, and stops it where it stands once it has taken too long; `undefined` then, and for what it throws. */
function bounded<T>(run: () => T): T | undefined {
  try {
    return CALL.runInContext(createContext({ run }), { timeout: JUDGE_MS }) as T;
  } catch {
    return undefined; // its references lead back to itself, or there are too many ways through it
  }
}

/**
 * Judges a value by a schema of a server. One that can't be compiled, and a value that can't be judged in time, count as fitting: nothing is
 * said against them. Made anew for each schema: none of them stays in it under its `$id`.
 */
export function compileSchema(schema: object): (value: unknown) => boolean {
  const { $schema: _, $id: __, ...bare } = schema as { readonly $schema?: unknown; readonly $id?: unknown };
  const ajv = new Ajv2020({
    strict: false,
    validateFormats: false,
    validateSchema: false,
    logger: false,
    code: { regExp: linear },
  });
  const validate = bounded(() => ajv.compile(bare));
  return (value) => validate === undefined || bounded(() => validate(value)) !== false;
}

/** Whether a value is nested no deeper than `depth`; bounded work for values that came as JSON. */
export function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((inner) => isShallow(inner, depth - 1));
}
