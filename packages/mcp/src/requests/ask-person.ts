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
  const answer = await elicit({ mode: 'form', message, schema: cleaned(schema) });
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

/** The texts in a form that people read, cleaned; names and values are as the server sent them. */
function cleaned(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (typeof item === 'string' && (key === 'title' || key === 'description')) return [key, cleanText(item, 1_000)];
      return [key, isJsonObject(item) ? cleaned(item) : item];
    }),
  );
}
