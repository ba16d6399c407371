import type { Clause } from './clause.js';
import { plain } from './clause.js';

const KNOWN = /^(?:README|LICENSE|CHANGELOG|CONTRIBUTING|AGENTS|Makefile|Dockerfile|Gemfile|Rakefile|Procfile|Jenkinsfile|CODEOWNERS)$/;
const LOOKS_LIKE_A_PATH = /^(?:\.{0,2}\/|[^/\s]+\/|\.[\p{L}\p{N}_]|.*\.[\p{L}\p{N}_]+$)/u;
const MARK = /^\uE000\d+\uE001/;
/** Particles that Korean puts behind a name: `a.txt를`. */
const PARTICLE = /(?<=[\x21-\x7E])[가-힣]+$/;

/** The path that one word of a clause is, as the person wrote it; `undefined` if it looks like none. */
export function toPath(word: string, clause: Clause): string | undefined {
  const mark = MARK.exec(word)?.[0];
  if (mark !== undefined) return plain(mark, clause) || undefined;
  const bare = bareWord(word);
  if (bare.includes('://') || bare === '.' || bare === '..') return undefined;
  return KNOWN.test(bare) || LOOKS_LIKE_A_PATH.test(bare) ? bare : undefined;
}

/** The paths in a part of a clause, in order, each once. */
export function pathsIn(text: string, clause: Clause): string[] {
  return [...new Set(text.split(/[\s,]+/).flatMap((word) => toPath(word, clause) ?? []))];
}

/** A word without the punctuation and particles around it. */
export function bareWord(word: string): string {
  return word
    .replace(/^[(,:;!?]+/, '')
    .replace(/[),:;!?]+$/, '')
    .replace(/(?<=[^./])\.+$/, '')
    .replace(PARTICLE, '');
}
