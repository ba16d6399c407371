import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { CodeIndex } from '@codelab/workspace';
import { makeQuestions, withoutComments, type Question } from './make-questions.js';
import { searchByWords, type Found } from './search-by-words.js';

const tell = (line: string): void => void process.stdout.write(`${line}\n`);
const COUNT = 200;
const TOP = 10;
const SEED = 20_261_123;

const isAnswer = ({ path, start, end }: Question, found: Found): boolean => found.path === path && found.start <= end && found.end >= start;
const share = (questions: readonly Question[], is: (question: Question, index: number) => boolean): number =>
  questions.filter(is).length / Math.max(1, questions.length);
const percent = (value: number): string => `${(value * 100).toFixed(1)} %`;

/** How often the definition that a question is about is among the first ten places, by the index and by a search for words. */
export async function measureRecall(repository: string): Promise<void> {
  const base = mkdtempSync(join(tmpdir(), 'codelab-recall-'));
  try {
    const root = join(base, 'ws');
    cpSync(repository, root, { recursive: true, filter: (path) => !/\/(?:\.git|node_modules|dist)$/.test(path) });
    const { stdout } = spawnSync('rg', ['--no-config', '--files', '--null'], { cwd: root, encoding: 'utf8' });
    const paths = stdout
      .split('\0')
      .filter((path) => path !== '')
      .sort();
    const questions = await makeQuestions(root, paths, COUNT, SEED);
    for (const [what, prepare] of [
      ['as it is', () => undefined],
      ['comments taken out', () => takeCommentsOut(root, questions)],
    ] as const) {
      prepare();
      const index = new CodeIndex({ root, dataDir: join(base, 'data'), directory: join(base, 'data', 'index') });
      await index.rebuild();
      await index.update(600_000);
      const byIndex: (readonly Found[])[] = [];
      for (const { query } of questions) {
        const { hits } = await index.search(query, TOP);
        byIndex.push(hits.map(({ path, start_line: start, end_line: end }) => ({ path, start, end })));
      }
      await index.close();
      const byWords = questions.map(({ query }) => searchByWords(root, query, TOP));
      const recall = (found: readonly (readonly Found[])[], top = TOP): number =>
        share(questions, (question, at) => found[at]!.slice(0, top).some((each) => isAnswer(question, each)));
      const files = (found: readonly (readonly Found[])[]): number =>
        share(questions, (question, at) => found[at]!.some(({ path }) => path === question.path));
      const [index10, words10] = [recall(byIndex), recall(byWords)];
      tell(
        `${basename(repository)}, ${what}: ${String(questions.length)} questions, recall@10 index ${percent(index10)}, words ${percent(words10)} ` +
          `(${(index10 / Math.max(words10, 0.001)).toFixed(2)} ×); @1 ${percent(recall(byIndex, 1))} / ${percent(recall(byWords, 1))}; ` +
          `right file ${percent(files(byIndex))} / ${percent(files(byWords))}`,
      );
      if (process.env['SHOW_MISSES'] !== undefined)
        questions.forEach((question, at) => {
          if (!byIndex[at]!.some((each) => isAnswer(question, each)))
            tell(`  missed: ${question.path}:${String(question.start)} ${question.query}`);
        });
    }
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

const takeCommentsOut = (root: string, questions: readonly Question[]): undefined => {
  for (const path of new Set(questions.map((question) => question.path)))
    writeFileSync(join(root, path), withoutComments(readFileSync(join(root, path), 'utf8'), path, questions));
};
