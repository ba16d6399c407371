import type { VocabularyName } from '@codelab/tools';

const WORDS: Partial<Readonly<Record<VocabularyName, string>>> = { agent: 'search', 'claude-code': 'Grep', continue: 'grep_search' };

/** What the system prompt says of the index of the code, where there is one: when it is better than a search for words. */
export function tellIndex(vocabulary: VocabularyName, has: (name: string) => boolean): readonly string[] {
  const search = WORDS[vocabulary];
  if (search === undefined || !has('index.search')) return [];
  return [`Where you do not know the words of the code, begin with codebase, one question at a time; where you do, ${search} is exact.`];
}
