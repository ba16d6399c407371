import { failed, firstOf, type WebTool } from '../web-tool.js';
import type { PageFetcher } from './page-fetcher.js';

/** All that a model gets of a page, in characters. */
const MAX_CHARACTERS = 20_000;
const MAX_PROMPT = 1_000;
const NOTE_CHARACTERS = 80;

/** `web.fetch`: a page as Markdown. Reads only, but tells the site what is asked for, so it is asked about. */
export const fetchTool = (fetcher: PageFetcher): WebTool => ({
  definition: {
    name: 'web.fetch',
    since: '1.0',
    group: 'search',
    access: 'readonly',
    idempotency: 'safe',
    description:
      'Fetches a public web page and gives its readable text as Markdown, at most 20,000 characters. A redirect to another host is told, not followed. ' +
      'Not for files of the workspace.',
    parameters: {
      type: 'object',
      properties: {
        url: { type: 'string', minLength: 1, maxLength: 4_096, description: 'The address: https://…' },
        prompt: { type: 'string', maxLength: 10_000, description: 'What is wanted from the page; repeated behind it.' },
      },
      required: ['url'],
      additionalProperties: false,
    },
    deadlineMs: 60_000,
  },
  policy: {
    modes: { medium: 'ask', strict: 'ask', permissive: 'allow' },
    risk: 'low',
    does: 'fetches a page of the web',
    touches: 'nothing',
  },
  async run({ url, prompt }, { signal }) {
    if (typeof url !== 'string') return failed('INVALID_ARGUMENTS', 'url: missing; expected an address');
    const fetched = await fetcher.fetch(url, signal);
    if (!fetched.ok) return fetched;
    if ('elsewhere' in fetched) return { ok: true, result: { text: `Redirects to ${fetched.elsewhere}; fetch it with a second call.` } };
    const { page } = fetched;
    const head = firstOf(page.title === '' ? page.url : `${page.url} · ${page.title}`, 4_500);
    const asked = typeof prompt === 'string' ? firstOf(prompt.trim().replace(/\s*\n\s*/g, ' '), MAX_PROMPT) : '';
    const room = MAX_CHARACTERS - head.length - asked.length - 4;
    const text = [`${head}\n${cut(page.markdown, room)}`, ...(asked === '' ? [] : [asked])].join('\n\n');
    return { ok: true, result: { text, items: [{ name: page.title || page.url, description: page.url, content: text, uri: page.url }] } };
  },
});

function cut(markdown: string, room: number): string {
  if (markdown.length <= room) return markdown;
  const kept = firstOf(markdown, room - NOTE_CHARACTERS);
  const [shown, all] = [kept, markdown].map(({ length }) => length.toLocaleString('en-US'));
  return `${kept}\n[cut: the first ${shown ?? ''} of ${all ?? ''} characters]`;
}
