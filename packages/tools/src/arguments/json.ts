/** A value that JSON can hold. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object: the arguments and the result of every tool. An undefined field is an absent one. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

/** Whether `value`, which came out of `JSON.parse`, is an object and not a list or null. */
export const isJsonObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);
