import { DOMParser } from 'linkedom';

interface Element {
  readonly textContent: string | null;
  getAttribute(name: string): string | null;
  querySelector(selector: string): Element | null;
  querySelectorAll(selector: string): Iterable<Element>;
}

const MAX_ENTRIES = 50;

const textIn = (element: Element, ...names: readonly string[]): string => {
  for (const name of names) {
    const text = element.querySelector(name)?.textContent?.trim();
    if (text !== undefined && text !== '') return text;
  }
  return '';
};

/** Descriptions are HTML in text; a feed is for finding pages, so their plain beginning is enough. */
const plain = (html: string): string =>
  html
    .replace(/<[^>]{0,2000}>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 500);

/** The entries of RSS or Atom, newest as they stand; nothing for other XML. */
export function feedToMarkdown(xml: string): { readonly title: string; readonly markdown: string } | undefined {
  if (!/<(?:rss|feed|rdf:RDF)[\s>]/.test(xml.slice(0, 2_000))) return undefined;
  const document = new DOMParser().parseFromString(xml, 'text/xml') as unknown as Element;
  const entries = [...document.querySelectorAll('item, entry')].slice(0, MAX_ENTRIES).map((entry) => {
    const link = entry.querySelector('link');
    const url = link?.getAttribute('href') ?? link?.textContent?.trim() ?? '';
    const lines = [`## ${textIn(entry, 'title') || url}`, url, textIn(entry, 'pubDate', 'updated', 'published')];
    return [...lines, plain(textIn(entry, 'description', 'summary', 'content'))].filter((line) => line !== '').join('\n');
  });
  return { title: textIn(document, 'channel > title', 'feed > title', 'title'), markdown: entries.join('\n\n') };
}
