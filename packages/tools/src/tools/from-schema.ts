import type { JsonObject } from '../arguments/json.js';

type Named<Name> = Name extends 'string'
  ? string
  : Name extends 'integer' | 'number'
    ? number
    : Name extends 'boolean'
      ? boolean
      : Name extends 'null'
        ? null
        : never;

type Fields<Properties, Required> = {
  readonly [Name in keyof Properties as Name extends Required ? Name : never]: FromSchema<Properties[Name]>;
} & { readonly [Name in keyof Properties as Name extends Required ? never : Name]?: FromSchema<Properties[Name]> };

/**
 * The TypeScript type of the values that a JSON Schema takes, for the keywords that our tools use: `const`, `enum`, `type`, `items`,
 * `properties` and `required`. The schema must be a literal (`as const`, or a `const` type parameter).
 */
export type FromSchema<Schema> = Schema extends { readonly const: infer Value }
  ? Value
  : Schema extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { readonly type: 'array'; readonly items: infer Item }
      ? readonly FromSchema<Item>[]
      : Schema extends { readonly properties: infer Properties; readonly required: readonly (infer Required)[] }
        ? Fields<Properties, Required>
        : Schema extends { readonly type: 'object' }
          ? JsonObject
          : Schema extends { readonly type: infer Name }
            ? Named<Name extends readonly (infer Each)[] ? Each : Name>
            : unknown;
