import { isJsonObject } from '@codelab/tools';
import { ProtocolError, ProtocolErrorCode, type ElicitRequest, type ElicitResult } from '@modelcontextprotocol/client';
import { cleanText } from '../lists/clean-text.js';
import { compileSchema, isShallow } from '../lists/json-schema.js';
import type { Elicitation } from '../servers/mcp-hooks.js';

const MAX_MESSAGE = 4_000;
const MAX_SCHEMA = 32 * 1024;
const MAX_FIELDS = 50;
const MAX_URL = 2_048;

const refuse = (message: string): ProtocolError => new ProtocolError(ProtocolErrorCode.InvalidParams, message);

/** Puts the question of a server to a person; what they answered to a form fits its schema, or the server is told that it did not. */
export async function askPerson(
  params: ElicitRequest['params'],
  elicit: (request: Elicitation) => Promise<ElicitResult>,
): Promise<ElicitResult> {
  const message = cleanText(params.message, MAX_MESSAGE);
  if (params.mode === 'url') {
    return strip(await elicit({ mode: 'url', message, url: checkedUrl(params.url), id: cleanText(params.elicitationId ?? '', 200) }));
  }
  const { requestedSchema: schema } = params;
  if (!isJsonObject(schema) || !isShallow(schema, 8) || JSON.stringify(schema).length > MAX_SCHEMA) throw refuse('The form is too large.');
  const { properties } = schema;
  if (!isJsonObject(properties) || Object.keys(properties).length > MAX_FIELDS) throw refuse(`A form has at most ${MAX_FIELDS} fields.`);
  const answer = await elicit({ mode: 'form', message, schema: cleaned(schema) as Readonly<Record<string, unknown>> });
  if (answer.action !== 'accept') return { action: answer.action };
  const content = answer.content ?? {};
  if (!compileSchema(schema)(content)) throw refuse('What was filled in does not fit the form.');
  return { action: 'accept', content };
}

/** Consent to open a URL carries no content. */
const strip = ({ action }: ElicitResult): ElicitResult => ({ action });

function checkedUrl(text: string): string {
  if (text.length > MAX_URL || !URL.canParse(text)) throw refuse('The URL is not one, or too long.');
  const url = new URL(text);
  const isOfThisMachine = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isOfThisMachine)) throw refuse('The URL should begin with https://.');
  if (url.username !== '' || url.password !== '') throw refuse('The URL has a password in it.');
  return url.href;
}

/** What people read in a form is cleaned; names and values go back as they are, so those that hide something are refused. */
function cleaned(value: unknown, key = ''): unknown {
  if (typeof value === 'string') {
    const clean = cleanText(value, 4_000);
    if (clean !== value && !READ.has(key)) throw refuse('The form has characters that nobody sees.');
    return clean;
  }
  if (Array.isArray(value)) return value.map((item) => cleaned(item, key));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [cleaned(name), cleaned(item, name)]));
}

const READ: ReadonlySet<string> = new Set(['title', 'description', 'enumNames']);
