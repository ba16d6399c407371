import 'reflect-metadata';
import type { ErrorCode, JsonSchema } from '@codelab/protocol';
import type { RequestBody } from '../rest/body-field.js';

/** What the OpenAPI document says of a route beside its method and path, which are Nest's to know. */
export interface RouteDescription {
  readonly summary: string;
  /** Query parameters by name. */
  readonly query?: Readonly<Record<string, JsonSchema>>;
  readonly body?: RequestBody | JsonSchema;
  readonly response: { readonly status: number; readonly description: string; readonly schema?: JsonSchema };
  /** Beside those that every route has. */
  readonly errors?: readonly ErrorCode[];
}

const DESCRIPTION = Symbol('route description');

/** Describes a route, beside the decorator that makes it one. */
export const DescribeRoute =
  (description: RouteDescription): MethodDecorator =>
  (target, key) =>
    Reflect.defineMetadata(DESCRIPTION, description, target, key);

/** The description of a controller's method; `undefined` if it has none. */
export const descriptionOf = (prototype: object, method: string): RouteDescription | undefined =>
  Reflect.getMetadata(DESCRIPTION, prototype, method) as RouteDescription | undefined;
