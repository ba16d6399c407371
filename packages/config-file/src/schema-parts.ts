/** The parts that the schemas of our files are made of. */

export const object = <const Properties extends object>(properties: Properties, required: readonly string[] = []) =>
  ({ type: 'object', additionalProperties: false, properties, required }) as const;

/** Values of one kind by names that whoever writes the file chooses. */
export const byName = (value: object, pattern = '\\S') =>
  ({ type: 'object', propertyNames: { pattern }, additionalProperties: value }) as const;

export const text = { type: 'string', minLength: 1 } as const;
export const texts = { type: 'array', items: text } as const;
export const flag = { type: 'boolean' } as const;
export const milliseconds = { type: 'integer', minimum: 1, maximum: 86_400_000 } as const;
/** The name of an environment variable. */
export const variable = { type: 'string', pattern: '^[A-Z_][A-Z0-9_]*$' } as const;
/** `http` or `https`, without user, password and fragment. */
export const baseUrl = { type: 'string', format: 'base-url' } as const;
