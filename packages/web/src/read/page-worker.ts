/** The thread in which pages are read; {@link PageReader} starts and ends it. */
import { parentPort } from 'node:worker_threads';
import { feedToMarkdown } from './feed-to-markdown.js';
import { htmlToMarkdown, type ReadablePage } from './html-to-markdown.js';
import type { PageAnswer, PageQuestion } from './page-reader.js';

parentPort?.on('message', ({ id, kind, text, url }: PageQuestion) => {
  const answer = (said: PageAnswer): void => parentPort?.postMessage(said);
  const read = async (): Promise<ReadablePage | null> =>
    kind === 'html' ? await htmlToMarkdown(text, url) : (feedToMarkdown(text) ?? null);
  read().then(
    (page) => answer({ id, page }),
    (error: unknown) => answer({ id, fault: error instanceof RangeError ? 'too deep' : 'broken' }),
  );
});

parentPort?.postMessage({ id: 0 } satisfies PageAnswer); // READY
