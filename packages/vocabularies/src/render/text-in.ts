import type { JsonObject } from '@codelab/tools';

/** A field of a result as text; empty where it is neither text nor a number. Results come from clients, which are not trusted to fit. */
export const textIn = (result: JsonObject, name: string): string => {
  const value = result[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};
