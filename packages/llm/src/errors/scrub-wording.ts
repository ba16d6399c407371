import { asObject } from '../json/read-json.js';
import { withoutPrompt } from './without-prompt.js';

/** 2,000 characters: more of a refusal helps nobody. */
const MAX_CHARACTERS = 2_000;

const URLS = /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>)\]}]+/gi;
const BEARER = /\bbearer\s+\S+/gi;
/** What may be a key: judged by `isKey`. */
const WORDS = /[A-Za-z0-9][\w*.+/=-]{7,}/g;
const ADDRESSES = [
  /\b(?:\d{1,3}\.){3}\d{1,3}(?::\d{1,5})?\b/g,
  /\[[0-9a-f]*:[0-9a-f:.]+\](?::\d{1,5})?/gi,
  /\b(?:[a-z0-9_-]+\.)+(?:com|net|org|io|ai|dev|app|cloud|local|internal|corp|lan|svc|co|eu|de|kr|uk|us|info)\b(?::\d{1,5})?/gi,
  /\b(?:localhost|[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)*:\d{4,5})\b/gi,
];

/** How vendors begin their keys. */
const KEY = /^(?:sk|pk|rk|gsk|csk|xai|gh[oprsu]|github_pat|glpat|hf|nvapi|pplx)[-_]|^(?:AIza|AKIA|eyJ)/;
/** These begin keys and names of accounts, but words too: only with a digit are they taken out. */
const MAYBE_KEY = /^(?:key|token|org|proj|user|acct)[-_]/i;
/** Ids that stand in a request or an answer: no secrets, and worth reading. */
const ID = /^(?:toolu|srvtoolu|call|msg|chatcmpl|resp|req|fc|rs)_/;

function isKey(word: string): boolean {
  if (KEY.test(word)) return true;
  if (!/\d/.test(word)) return false;
  return MAYBE_KEY.test(word) || (word.length >= 32 && !ID.test(word));
}

/**
 * A provider's words on a request that it refused, without keys, hosts and what they repeat of the request: fit for whoever sent it (L1).
 * Programs react to the words, so everything else stays; control characters become blanks. `undefined` where nothing is left.
 *
 * @param request the body that was sent, if there is one to compare with
 */
export function scrubWording(text: unknown, request?: string): string | undefined {
  if (typeof text !== 'string') return undefined;
  const said = innermostMessage(text).slice(0, 2 * MAX_CHARACTERS);
  let clean = (request === undefined ? said : withoutPrompt(said, request))
    .replace(URLS, '[url]')
    .replace(BEARER, '[key]')
    .replace(WORDS, (word) => (isKey(word) ? '[key]' : word));
  for (const address of ADDRESSES) clean = clean.replace(address, '[host]');
  const line = clean.replace(/\p{Cc}+/gu, ' ').trim();
  return line === '' ? undefined : line.slice(0, MAX_CHARACTERS);
}

/** How often an error is looked for inside the message of another. */
const MAX_DEPTH = 3;

/** Gateways pass on the whole answer of the next server as the message of theirs: what was said is the innermost one. */
function innermostMessage(text: string, depth = 0): string {
  const start = text.trimStart();
  if (depth === MAX_DEPTH || !start.startsWith('{')) return text;
  try {
    const body = asObject(JSON.parse(start));
    const error = typeof body.error === 'string' ? { message: body.error } : asObject(body.error ?? body);
    const { message = error.detail } = error;
    return typeof message === 'string' ? innermostMessage(message, depth + 1) : '';
  } catch {
    return text; // words that begin with a brace
  }
}
