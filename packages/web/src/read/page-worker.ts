/** The thread in which pages are read; {@link PageReader} starts and ends it. */
import { parentPort } from 'node:worker_threads';
import { htmlToMarkdown } from './html-to-markdown.js';
import type { PageAnswer, PageQuestion } from './page-reader.js';

parentPort?.on('message', ({ id, html, url }: PageQuestion) => {
  const answer = (said: PageAnswer): void => parentPort?.postMessage(said);
  htmlToMarkdown(html, url).then(
    (page) => answer({ id, page }),
    (error: unknown) => answer({ id, fault: error instanceof RangeError ? 'too deep' : 'broken' }),
  );
});
