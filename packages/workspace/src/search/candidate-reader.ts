import type { ReadFile, TreeDirectory } from '../files/tree/tree-directory.js';
import { MAX_SEARCHED_BYTES } from '../limits.js';
import { isIgnored, type IgnoreRules } from './ignore-rules.js';
import { readRulesOf } from './walk-tree.js';

interface Level {
  readonly name: string;
  readonly directory: TreeDirectory;
  readonly rules: IgnoreRules | undefined;
}

interface CandidateOptions {
  /** Path of the directory that is searched; empty for the workspace. */
  readonly path: string;
  readonly rules: { readonly above: IgnoreRules | undefined } | undefined;
}

/**
 * Reads files that another program has named, in the order of their paths: by our own way down, none of it through a link, and only what
 * our own rules don't leave out. Whatever that program saw, nothing comes from elsewhere (W1).
 */
export class CandidateReader {
  private readonly levels: Level[];
  private readonly prefix: string;

  constructor(
    top: TreeDirectory,
    private readonly options: CandidateOptions,
  ) {
    this.prefix = options.path === '' ? '' : `${options.path}/`;
    this.levels = [{ name: '', directory: top, rules: options.rules && readRulesOf(top, options.path, options.rules.above) }];
  }

  /** @param path below the directory that is searched */
  read(path: string): ReadFile | undefined {
    const names = path.split('/');
    const name = names.pop()!;
    let depth = 0;
    while (depth < names.length && this.levels[depth + 1]?.name === names[depth]) depth += 1;
    this.leave(depth + 1);
    for (; depth < names.length; depth += 1) if (!this.enter(names[depth]!, names.slice(0, depth + 1).join('/'))) return undefined;
    const { directory, rules } = this.levels.at(-1)!;
    if (isIgnored(rules, this.prefix + path, name, false)) return undefined;
    const found = directory.readWithTime(name, MAX_SEARCHED_BYTES);
    return found !== undefined && directory.isInPlace() ? found : undefined;
  }

  close(): void {
    this.leave(1);
  }

  private enter(name: string, path: string): boolean {
    const { directory, rules } = this.levels.at(-1)!;
    const whole = this.prefix + path;
    const child = name === '.git' || isIgnored(rules, whole, name, true) ? undefined : directory.openChild(name);
    if (child === undefined) return false;
    this.levels.push({ name, directory: child, rules: this.options.rules && readRulesOf(child, whole, rules) });
    return true;
  }

  private leave(depth: number): void {
    for (const { directory } of this.levels.splice(depth)) directory.close();
  }
}
