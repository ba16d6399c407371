import { refuse } from '@codelab/protocol';
import { validateSync } from 'class-validator';
import { fieldsOfBody } from './body-field.js';
import { RefusedRequest } from './refused-request.js';

/** The body of a request as an instance of its class: unknown fields dropped, `null` absent. Throws `RefusedRequest`. */
export function readBody<Body extends object>(bodyClass: new () => Body, text: string): Body {
  const raw = parse(text);
  const body = new bodyClass();
  for (const name of fieldsOfBody(bodyClass)) {
    if (Object.hasOwn(raw, name) && raw[name] !== null) Object.assign(body, { [name]: raw[name] });
  }
  const [error] = validateSync(body, { forbidUnknownValues: false, stopAtFirstError: true });
  if (error === undefined) return body;
  const code = (body as Readonly<Record<string, unknown>>)[error.property] === undefined ? 'MISSING_FIELD' : 'INVALID_FIELD';
  throw new RefusedRequest(refuse(code, Object.values(error.constraints ?? {})[0] ?? `${error.property} is invalid`));
}

function parse(text: string): Readonly<Record<string, unknown>> {
  if (text.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new RefusedRequest(refuse('INVALID_FORMAT', 'the body is not JSON'));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new RefusedRequest(refuse('INVALID_FORMAT', 'the body is not a JSON object'));
  }
  return value as Readonly<Record<string, unknown>>;
}
