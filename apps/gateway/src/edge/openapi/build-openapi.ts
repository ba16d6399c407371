import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { ERRORS, type ErrorCode, type JsonSchema } from '@codelab/protocol';
import { HTTP_STATUS } from '../../core/http-status.js';
import { schemaOfBody } from '../rest/body-field.js';
import { descriptionOf, type RouteDescription } from './describe-route.js';

type Controller = new (...parameters: never[]) => object;

/** Every route can be refused so. */
const COMMON_ERRORS: readonly ErrorCode[] = ['UNAUTHORIZED', 'TOKEN_INVALID', 'TOKEN_EXPIRED', 'FORBIDDEN', 'UNAVAILABLE'];

const ERROR_SCHEMA: JsonSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'retryable'],
      properties: {
        code: { type: 'string', enum: Object.keys(ERRORS) },
        message: { type: 'string', description: 'What was wrong, where, and what to do.' },
        retryable: { type: 'boolean', description: 'The same request may succeed later.' },
      },
    },
  },
};

/** The OpenAPI document of the routes that these controllers make. Throws if a route has no description. */
export function buildOpenApi(controllers: readonly Controller[], version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const controller of controllers) {
    for (const { path, method, description } of routesOf(controller)) (paths[path] ??= {})[method] = toOperation(path, description);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'CodeLab gateway', version, description: 'Sessions and decisions over HTTP. What is live goes over the WebSocket.' },
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'An API key, or a JWT of the configured issuer.' } },
      schemas: { Error: ERROR_SCHEMA },
    },
  };
}

function routesOf(controller: Controller) {
  const prototype = controller.prototype as Readonly<Record<string, unknown>>;
  const base = String(Reflect.getMetadata(PATH_METADATA, controller));
  return Object.getOwnPropertyNames(prototype).flatMap((name) => {
    const handler = name === 'constructor' ? undefined : prototype[name];
    const path = typeof handler === 'function' ? (Reflect.getMetadata(PATH_METADATA, handler) as string | undefined) : undefined;
    if (path === undefined) return [];
    const description = descriptionOf(prototype, name);
    if (description === undefined) throw new Error(`${controller.name}.${name} is a route without a description`);
    const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler as object) as number]!.toLowerCase();
    return [
      {
        path: `/${base}/${path}`
          .replace(/\/+/g, '/')
          .replace(/(.)\/$/, '$1')
          .replace(/:(\w+)/g, '{$1}'),
        method,
        description,
      },
    ];
  });
}

function toOperation(path: string, { summary, query = {}, body, response, errors = [] }: RouteDescription): object {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
  const inQuery = Object.entries(query).map(([name, schema]) => ({ name, in: 'query', required: false, schema }));
  const schema = typeof body === 'function' ? schemaOfBody(body) : body;
  return {
    summary,
    parameters: [...inPath, ...inQuery],
    ...(schema === undefined ? {} : { requestBody: { required: true, content: { 'application/json': { schema } } } }),
    responses: { [response.status]: toResponse(response), ...toErrors([...COMMON_ERRORS, ...errors]) },
  };
}

const toResponse = ({ description, schema }: RouteDescription['response']): object => ({
  description,
  ...(schema === undefined ? {} : { content: { 'application/json': { schema } } }),
});

function toErrors(codes: readonly ErrorCode[]): Readonly<Record<string, object>> {
  const byStatus: Record<string, ErrorCode[]> = {};
  for (const code of new Set(codes)) (byStatus[HTTP_STATUS[code]] ??= []).push(code);
  const schema = { $ref: '#/components/schemas/Error' };
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, list]) => [
      status,
      toResponse({ status: Number(status), description: list.join(', '), schema }),
    ]),
  );
}
