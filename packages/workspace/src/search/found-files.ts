import type { ResultOf } from '@codelab/tools';
import { MAX_FOUND_BYTES } from '../limits.js';
import { LatestEntries } from '../reading/latest-entries.js';
import type { Findings, Page } from './findings.js';
import type { Hit } from './line-matcher.js';
import type { SearchedFile } from './searched-file.js';

type Answer = ResultOf<'search_in_project'>;
type File = NonNullable<Answer['files']>[number];

/** Collects which files have matches, and how many: by their paths, or the ones changed last first. */
export class FoundFiles implements Findings {
  readonly isDone = false; // what is left out is counted
  readonly room = Number.MAX_SAFE_INTEGER;
  private readonly files: LatestEntries<File>;
  private matches = 0;

  /** @param latestFirst else in the order in which they come */
  constructor(
    private readonly page: Page,
    latestFirst: boolean,
  ) {
    this.files = new LatestEntries<File>(page.offset + page.limit, ({ mtime_ms: time }) => (latestFirst ? time : 0));
  }

  add({ path, mtimeMs }: SearchedFile, hits: readonly Hit[]): void {
    if (hits.length === 0) return;
    this.matches += hits.length;
    this.files.add({ path, count: hits.length, mtime_ms: Math.trunc(mtimeMs) });
  }

  get answer(): Answer {
    const { offset, limit } = this.page;
    let bytes = 0;
    const wanted = this.files.entries.slice(offset, offset + limit);
    const files = wanted.filter((file) => (bytes += Buffer.byteLength(JSON.stringify(file)) + 1) <= MAX_FOUND_BYTES);
    const total = this.files.seen;
    return { matches: [], files, truncated: offset + files.length < total, total, total_matches: this.matches };
  }
}
