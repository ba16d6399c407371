import { validateSync, type ValidationError } from 'class-validator';
import { refuse, type Refusal } from './errors.js';
import { fieldsOf, type Body } from './fields.js';
import { instantiate, isObject, type Fields, type Spans } from './instantiate.js';
import { isValid } from './is-valid.js';
import { CLIENT_FRAMES, type ClientFrame } from './frames/index.js';
import type { AnyDefinition, ClientDefinition } from './define-frame.js';
import { JsonText } from './json-text.js';
import { LIMITS } from './limits.js';
import { scanObject } from './scan-object.js';

/** A frame, or why the message is none. */
export type Decoded<Frame> = { readonly ok: true; readonly frame: Frame } | Refusal;

const firstError = (errors: readonly ValidationError[], path = ''): string => {
  const [error] = errors;
  if (error === undefined) return 'the frame is invalid';
  const where = path === '' ? error.property : `${path}.${error.property}`;
  const [sentence] = Object.values(error.constraints ?? {});
  if (sentence !== undefined) return sentence.replace(error.property, where);
  return firstError(error.children ?? [], where);
};

const missingField = (body: Body, instance: Fields, path = ''): string | undefined => {
  for (const { name, optional, shape } of fieldsOf(body)) {
    const value = instance[name];
    if (value === undefined) {
      if (!optional) return `${path}${name}`;
    } else if (shape.kind === 'nested') {
      for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) {
        const missing = isObject(item) ? missingField(shape.of, item, `${path}${name}.`) : undefined;
        if (missing !== undefined) return missing;
      }
    }
  }
  return undefined;
};

const wrongText = (body: Body, instance: Fields): string | undefined =>
  fieldsOf(body).find(({ name, shape }) => shape.kind === 'text' && instance[name] !== undefined && !(instance[name] instanceof JsonText))
    ?.name;

/** Why an instance of a body is not a frame of its definition, if it isn't. */
const findFault = (definition: AnyDefinition, instance: object, replyTo?: string): Refusal | undefined => {
  const fields = instance as Fields;
  const missing = missingField(definition.body, fields);
  if (missing !== undefined) return refuse('MISSING_FIELD', `${definition.type}.${missing} is required`, replyTo);
  const text = wrongText(definition.body, fields);
  if (text !== undefined) return refuse('INVALID_FIELD', `${definition.type}.${text} must be an object`, replyTo);
  const errors = isValid(instance) ? [] : validateSync(instance, { forbidUnknownValues: false, stopAtFirstError: true });
  if (errors.length > 0) return refuse('INVALID_FIELD', `${definition.type}.${firstError(errors)}`, replyTo);
  const wrong = (definition as ClientDefinition<string, Body>).check?.(instance);
  if (wrong === undefined) return undefined;
  return typeof wrong === 'string'
    ? refuse('INVALID_FIELD', `${definition.type}: ${wrong}`, replyTo)
    : refuse('MISSING_FIELD', `${definition.type}.${wrong.missing} is required ${wrong.because}`, replyTo);
};

const parse = (text: string): { readonly raw: Fields; readonly spans: Spans } | Refusal => {
  const scan = scanObject(text, { nesting: LIMITS.MAX_NESTING, fields: LIMITS.MAX_FRAME_FIELDS });
  if (!scan.ok) {
    const limit = scan.over === 'nesting' ? `${String(LIMITS.MAX_NESTING)} levels` : `${String(LIMITS.MAX_FRAME_FIELDS)} fields`;
    return refuse('INVALID_FORMAT', `the message has more than ${limit}`);
  }
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return refuse('INVALID_FORMAT', 'the message is not JSON');
  }
  return isObject(raw) ? { raw, spans: scan.fields } : refuse('INVALID_FORMAT', 'the message is not a JSON object');
};

/**
 * Turns one WebSocket message into a frame or a refusal. Never throws, whatever the text; costs one pass and one parse, and never walks
 * `args`, `modified_args` or `result` (G2). The size of the message is the caller's to check.
 */
export function decodeClientFrame(text: string): Decoded<ClientFrame> {
  const parsed = parse(text);
  if ('ok' in parsed) return parsed;
  const { raw, spans } = parsed;
  if (raw['type'] === undefined || raw['type'] === null) return refuse('MISSING_FIELD', 'type is required');
  const name = raw['type'];
  if (typeof name !== 'string' || !Object.hasOwn(CLIENT_FRAMES, name)) {
    const types = Object.keys(CLIENT_FRAMES).join(', ');
    const refusal = refuse('INVALID_TYPE', `there is no client frame of this type; the types are ${types}`, anyId(raw));
    return typeof name === 'string' && TYPE_NAME.test(name) ? { ...refusal, replyToType: name } : refusal;
  }
  const definition = CLIENT_FRAMES[name as keyof typeof CLIENT_FRAMES] as unknown as ClientDefinition<string, Body>;
  const id = definition.id === undefined ? undefined : raw[definition.id];
  const instance = instantiate(definition.body, raw, { text, spans });
  const fault = findFault(definition, instance, typeof id === 'string' && id.length <= 128 ? id : undefined);
  return fault !== undefined
    ? { ...fault, replyToType: name }
    : { ok: true, frame: Object.assign(instance, { type: name }) as ClientFrame };
}

/** What an error repeats of a type that it doesn't know. */
const TYPE_NAME = /^[A-Za-z0-9_.:/-]{1,64}$/;

const anyId = (raw: Fields): string | undefined =>
  [raw['call_id'], raw['message_id'], raw['turn_id']].find((id): id is string => typeof id === 'string' && id.length <= 128);
