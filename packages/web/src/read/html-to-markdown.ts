import { Defuddle } from 'defuddle/node';
import { parseHTML } from 'linkedom';

/** What there is to read on a page. */
export interface ReadablePage {
  /** `''` without one. */
  readonly title: string;
  /** `''` where the page has nothing without its scripts. */
  readonly markdown: string;
}

/** Pages with less text are read a second time, whole, to see what was left out. */
const SHORT_WORDS = 400;
/** Of the words on the whole page, without its navigation; with less, what was taken for the article was a part of it: one answer of a thread. */
const LEAST_SHARE = 0.6;

/**
 * The readable part of a page as Markdown: without navigation, advertisements and forms, with headings, code, tables and absolute links. Takes time
 * and stack in the measure of the page, so it runs in a thread of its own ({@link PageReader}). It asks no server for anything.
 */
export async function htmlToMarkdown(html: string, url: string): Promise<ReadablePage> {
  const article = await read(html, url);
  if (article.wordCount >= SHORT_WORDS) return toPage(article);
  const whole = await read(html, url, 'body');
  return toPage({ ...(article.wordCount < whole.wordCount * LEAST_SHARE ? whole : article), title: article.title });
}

interface Article {
  readonly title: string;
  readonly content: string;
  readonly wordCount: number;
}

/** A document each time: the extraction takes it apart. Both libraries mean the types of a browser, which are not known here. */
async function read(html: string, url: string, contentSelector?: string): Promise<Article> {
  const { document } = parseHTML(withBody(html)) as unknown as { document: never };
  const { heading, named } = namesOf(document);
  const { title, content, wordCount } = await Defuddle(document, url, {
    markdown: true,
    useAsync: false, // it would ask services of others about some sites
    includeReplies: true, // of a thread, the answers are the content
    contentSelector,
  });
  return { title: heading !== '' && named.includes(heading) ? heading : title, content, wordCount };
}

/** Of `Limits | Harbour API`, the heading tells which part is the page and which the site. */
function namesOf(document: Queried): { readonly heading: string; readonly named: string } {
  const textOf = (selector: string): string => (document.querySelector(selector)?.textContent ?? '').replace(/\s+/g, ' ').trim();
  return { heading: textOf('h1'), named: textOf('title') };
}

interface Queried {
  querySelector(selector: string): { readonly textContent: string | null } | null;
}

/** The parser takes a page as it is written, and a browser knows that there is a body though nobody wrote it. */
function withBody(html: string): string {
  if (/<body[\s>]/i.test(html)) return html;
  const title = /<title[^>]*>[^<]*<\/title>/i.exec(html)?.[0] ?? '';
  return `<!doctype html><html><head>${title}</head><body>${html.replace(title, '')}</body></html>`;
}

const toPage = ({ title, content }: Article): ReadablePage => ({
  title: title.replace(/\s+/g, ' ').trim(),
  markdown: content
    .replace(/[^\S\n]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim(),
});
