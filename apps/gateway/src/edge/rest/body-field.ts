import type { JsonSchema } from '@codelab/protocol';
import { IsBoolean, IsIn, IsInt, IsObject, IsOptional, IsString, Length, Matches, Max, Min } from 'class-validator';

/** The body of a request, as a class. */
export type RequestBody = new () => object;

const fields = new WeakMap<object, Map<string, JsonSchema>>();

const define =
  (schema: JsonSchema, isOptional: boolean, checks: readonly PropertyDecorator[]): PropertyDecorator =>
  (target, key) => {
    const known = fields.get(target) ?? new Map<string, JsonSchema>();
    fields.set(target, known.set(String(key), { ...schema, optional: isOptional }));
    for (const check of isOptional ? [IsOptional(), ...checks] : checks) check(target, key);
  };

interface TextOptions {
  readonly min?: number;
  readonly max: number;
  readonly pattern?: RegExp;
  readonly optional?: boolean;
}

/** A string field: its validation and its schema in one. */
export const TextField = (description: string, { min = 0, max, pattern, optional = false }: TextOptions): PropertyDecorator =>
  define({ type: 'string', description, minLength: min, maxLength: max, ...(pattern ? { pattern: pattern.source } : {}) }, optional, [
    IsString(),
    Length(min, max),
    ...(pattern ? [Matches(pattern)] : []),
  ]);

/** A field that is one of a closed set of strings. */
export const ChoiceField = (description: string, values: readonly string[], { optional = true } = {}): PropertyDecorator =>
  define({ type: 'string', description, enum: [...values] }, optional, [IsIn([...values])]);

/** A field that is a whole number, and may be left out. */
export const WholeField = (description: string, { min, max }: { readonly min: number; readonly max: number }): PropertyDecorator =>
  define({ type: 'integer', description, minimum: min, maximum: max }, true, [IsInt(), Min(min), Max(max)]);

/** A field that is true or false, and may be left out. */
export const FlagField = (description: string): PropertyDecorator => define({ type: 'boolean', description }, true, [IsBoolean()]);

/** A field that is an object, carried whole. */
export const ObjectField = (description: string, schema: JsonSchema): PropertyDecorator =>
  define({ ...schema, description }, false, [IsObject()]);

/** The fields of a body, those of its parents first. */
const allFields = (body: RequestBody): readonly (readonly [name: string, schema: JsonSchema])[] => {
  const parent = Object.getPrototypeOf(body) as RequestBody | null;
  const inherited = parent === null || parent === Function.prototype ? [] : allFields(parent);
  return [...inherited, ...(fields.get(body.prototype as object) ?? [])];
};

/** The names of the fields of a body. */
export const fieldsOfBody = (body: RequestBody): readonly string[] => allFields(body).map(([name]) => name);

/** The JSON Schema of a body. */
export function schemaOfBody(body: RequestBody): JsonSchema {
  const all = allFields(body);
  const required = all.filter(([, schema]) => schema['optional'] !== true).map(([name]) => name);
  const properties = Object.fromEntries(all.map(([name, { optional: _, ...schema }]) => [name, schema]));
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
}
