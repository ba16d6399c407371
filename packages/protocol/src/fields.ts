import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  Max,
  Min,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import type { JsonSchema } from './json-schema.js';

/** A class whose instances are frames or parts of frames. */
export type Body = new () => object;

/** How a field's value comes into an instance: as it is, as text, or as an instance of its own class. */
export type FieldKind =
  | { readonly kind: 'plain' }
  /** `insteadOf`: any JSON value, `null` too, which counts as absent only beside the field named here. Otherwise an object. */
  | { readonly kind: 'text'; readonly insteadOf?: string }
  | { readonly kind: 'nested'; readonly of: Body; readonly list: boolean };

/** One field of a frame: what the reference, the schema and the decoder know of it. */
export interface Field {
  readonly name: string;
  readonly doc: string;
  readonly optional: boolean;
  readonly schema: JsonSchema;
  readonly shape: FieldKind;
}

/** Options that every field has. */
export interface FieldOptions {
  readonly optional?: boolean;
}

const REGISTRY = new WeakMap<object, Field[]>();
/** Those of its parents, too; a class that somebody asks for has all of its own. */
const ALL_FIELDS = new WeakMap<object, readonly Field[]>();

/** The fields of a body, those of its parents first. */
export const fieldsOf = (body: Body): readonly Field[] => {
  const known = ALL_FIELDS.get(body);
  if (known !== undefined) return known;
  const parent = Object.getPrototypeOf(body) as Body | null;
  const fields = [...(parent !== null && parent !== Function.prototype ? fieldsOf(parent) : []), ...(REGISTRY.get(body) ?? [])];
  ALL_FIELDS.set(body, fields);
  return fields;
};

/** How a schema treats `null`. `takesNulls`: in an optional field it counts as absent, as in whatever a client sends. */
export interface SchemaOptions {
  readonly takesNulls?: boolean;
}

/** The JSON Schema of a body. Unknown fields are allowed: they are dropped. */
export const schemaOf = (body: Body, options: SchemaOptions = {}): JsonSchema => {
  const fields = fieldsOf(body);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, { ...schemaOfField(field, options), description: field.doc }])),
    required: fields.filter(({ optional }) => !optional).map(({ name }) => name),
  };
};

const schemaOfField = ({ schema, shape, optional }: Field, options: SchemaOptions): JsonSchema => {
  const nested = shape.kind === 'nested' ? schemaOf(shape.of, options) : undefined;
  const own = nested === undefined ? schema : shape.kind === 'nested' && shape.list ? { ...schema, items: nested } : nested;
  return optional && options.takesNulls === true ? orNull(own) : own;
};

/** The same schema, and `null`. One without a type takes it already, or says what else it takes. */
const orNull = (schema: JsonSchema): JsonSchema => {
  const { type, enum: values } = schema as { readonly type?: string | readonly string[]; readonly enum?: readonly unknown[] };
  if (type === undefined) return schema;
  return { ...schema, type: [...new Set([type, 'null'].flat())], enum: values && [...values, null] };
};

const define =
  (
    doc: string,
    options: FieldOptions,
    schema: JsonSchema,
    checks: readonly PropertyDecorator[],
    shape: FieldKind = { kind: 'plain' },
  ): PropertyDecorator =>
  (target, key) => {
    const fields = REGISTRY.get(target.constructor) ?? [];
    fields.push({ name: String(key), doc, optional: options.optional === true, schema, shape });
    REGISTRY.set(target.constructor, fields);
    for (const check of options.optional === true ? [IsOptional(), ...checks] : checks) check(target, key);
  };

const maxCodePoints = (max: number): PropertyDecorator =>
  ValidateBy({
    name: 'maxCodePoints',
    validator: {
      validate: (value) => typeof value !== 'string' || value.length <= max || [...value].length <= max,
      defaultMessage: () => `$property must be at most ${String(max)} characters long`,
    },
  });

/** A string; `min` and `max` count code points. */
export const Text = (doc: string, options: FieldOptions & { min?: number; max?: number; pattern?: RegExp } = {}): PropertyDecorator => {
  const { min = 0, max, pattern } = options;
  return define(
    doc,
    options,
    {
      type: 'string',
      minLength: min > 0 ? min : undefined,
      maxLength: max,
      pattern: pattern?.source,
    },
    [
      IsString(),
      ...(min > 0 ? [Matches(/[^]/u, { message: '$property must not be empty' })] : []),
      ...(max === undefined ? [] : [maxCodePoints(max)]),
      ...(pattern === undefined ? [] : [Matches(pattern)]),
    ],
  );
};

/** An integer of at least `min`, 0 unless said. */
export const Integer = (doc: string, options: FieldOptions & { min?: number } = {}): PropertyDecorator => {
  const min = options.min ?? 0;
  return define(doc, options, { type: 'integer', minimum: min, maximum: Number.MAX_SAFE_INTEGER }, [
    IsInt(),
    Min(min),
    Max(Number.MAX_SAFE_INTEGER),
  ]);
};

/** A number: a price. */
export const Decimal = (doc: string, options: FieldOptions = {}): PropertyDecorator => define(doc, options, { type: 'number' }, [Min(0)]);

/** `true` or `false`. */
export const Flag = (doc: string, options: FieldOptions = {}): PropertyDecorator =>
  define(doc, options, { type: 'boolean' }, [IsBoolean()]);

/** One of a closed set of strings. */
export const Choice = (doc: string, values: readonly string[], options: FieldOptions = {}): PropertyDecorator =>
  define(doc, options, { type: 'string', enum: [...values] }, [IsIn([...values])]);

/** A SHA-256 as lower-case hexadecimal digits. */
export const Digest = (doc: string, options: FieldOptions = {}): PropertyDecorator => Text(doc, { ...options, pattern: /^[0-9a-f]{64}$/ });

/** A list of strings; of at least `minItems`, 0 unless said. */
export const TextList = (
  doc: string,
  options: FieldOptions & { minItems?: number; maxItems: number; of?: readonly string[] },
): PropertyDecorator =>
  define(
    doc,
    options,
    {
      type: 'array',
      minItems: options.minItems,
      maxItems: options.maxItems,
      items: { type: 'string', enum: options.of && [...options.of] },
    },
    [
      IsArray(),
      ...(options.minItems === undefined ? [] : [ArrayMinSize(options.minItems)]),
      ArrayMaxSize(options.maxItems),
      IsString({ each: true }),
      ...(options.of === undefined ? [] : [IsIn([...options.of], { each: true })]),
    ],
  );

/** A JSON object that is carried as text and never walked: `args`. */
export const Carried = (doc: string, options: FieldOptions = {}): PropertyDecorator =>
  define(doc, options, { type: 'object' }, [], { kind: 'text' });

/**
 * Any JSON value, carried as text and never walked: `result`. `null` is a value too; it counts as absent only where the field `insteadOf`
 * says that there is none.
 */
export const CarriedValue = (doc: string, options: FieldOptions & { insteadOf: string }): PropertyDecorator =>
  define(doc, options, {}, [], { kind: 'text', insteadOf: options.insteadOf });

/** A JSON object of no fixed shape, small, read by us. */
export const Loose = (doc: string, options: FieldOptions & { schema?: JsonSchema } = {}): PropertyDecorator =>
  define(doc, options, options.schema ?? { type: 'object' }, [IsObject()]);

/** A list whose items have no single class. `check` says what is wrong with one. */
export const LooseList = (
  doc: string,
  options: FieldOptions & { maxItems: number; items: JsonSchema; check?: (item: unknown) => string | undefined },
): PropertyDecorator =>
  define(doc, options, { type: 'array', maxItems: options.maxItems, items: options.items }, [
    IsArray(),
    ArrayMaxSize(options.maxItems),
    ValidateBy({
      name: 'items',
      validator: {
        validate: (value) => !Array.isArray(value) || value.every((item) => options.check?.(item) === undefined),
        defaultMessage: (args) =>
          `$property has an item that cannot stand: ${((args?.value ?? []) as unknown[]).map((item) => options.check?.(item)).find(Boolean) ?? ''}`,
      },
    }),
  ]);

/** An object of its own class. */
export const Nested = (doc: string, of: Body, options: FieldOptions = {}): PropertyDecorator =>
  define(doc, options, schemaOf(of), [IsObject(), ValidateNested()], { kind: 'nested', of, list: false });

/** A list of objects of one class. */
export const NestedList = (doc: string, of: Body, options: FieldOptions & { maxItems: number }): PropertyDecorator =>
  define(
    doc,
    options,
    { type: 'array', maxItems: options.maxItems, items: schemaOf(of) },
    [IsArray(), ArrayMaxSize(options.maxItems), IsObject({ each: true }), ValidateNested({ each: true })],
    {
      kind: 'nested',
      of,
      list: true,
    },
  );
