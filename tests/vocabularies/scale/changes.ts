import { type Block, blocksOf, indentOf, insideOf, isWhole } from './blocks-of.js';
import type { Random } from './random.js';
import type { LanguageName } from './sources.js';

/** A change that somebody wants, known line by line. */
export interface Change {
  readonly kind: 'rename' | 'insert' | 'delete' | 'edit' | 'define';
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Lines of `before` that give way to lines of `after`. */
  readonly at: number;
  readonly deleted: number;
  readonly added: readonly string[];
  /** The blocks around it in `before`, from the outermost to the innermost. */
  readonly around: readonly Block[];
  /** A block around it is half a text of its language: who sends it can only be refused, or be right. */
  readonly isCut: boolean;
}

const KEYWORDS =
  /^(?:this|self|return|const|function|import|from|class|public|private|static|void|int|string|true|false|null|None|True|False|await|async|throw|else|elif|while|default|super|export|extends|implements|new|final|type|readonly|declare|abstract|interface|enum|protected|throws|yield|with|lambda|case|break|continue|unsigned|double|float|long|short|union|using|operator|virtual|override|explicit|constexpr|defined|ifdef|ifndef|endif|typeof|undefined|include|define|namespace|template|typename|struct|inline|bool|char|auto)$/;

/** Makes a change somewhere inside of a block of the file; nothing if there is no such place. */
export function makeChange(before: readonly string[], language: LanguageName, random: Random): Change | undefined {
  const around: Block[] = [];
  let blocks = blocksOf(before, 0, before.length - 1).filter(({ first, last }) => last - first >= 2);
  for (let depth = 0; depth < 4; depth++) {
    const block = random.pick(blocks);
    const inside = block === undefined ? undefined : insideOf(before, block);
    if (block === undefined || inside === undefined) break;
    around.push(block);
    const inner = blocksOf(before, inside.first, inside.last);
    blocks = inner.filter(({ first, last }) => last - first >= 2);
    if (depth > 0 && random.chance(0.4)) break;
  }
  const innermost = around.at(-1);
  const inside = innermost === undefined ? undefined : insideOf(before, innermost);
  if (inside === undefined) return undefined;
  const statements = blocksOf(before, inside.first, inside.last);
  const kind = random.pick(['rename', 'insert', 'delete', 'edit', 'define'] as const)!;
  const make = (at: number, deleted: number, put: readonly string[]): Change => {
    // nobody writes blanks at the end of a line that is changed
    const added = put.map((line, place) => (deleted === put.length && line === before[at + place] ? line : line.trimEnd()));
    const after = [...before.slice(0, at), ...added, ...before.slice(at + deleted)];
    return { kind, before, at, deleted, added, around, after, isCut: around.some((block) => !isWhole(before, block)) };
  };
  const plain = statements.filter(
    ({ first, last }) => first === last && /[;)\w'"\]]\s*$/.test(before[first]!) && !/^\s*(?:#|\/|\*|@|case\b)/.test(before[first]!),
  );
  switch (kind) {
    case 'rename': {
      const words =
        before
          .slice(inside.first, inside.last + 1)
          .join('\n')
          .match(/\b[a-zA-Z_]\w{3,}\b/g) ?? [];
      const word = random.pick(words.filter((one) => !KEYWORDS.test(one)));
      if (word === undefined) return undefined;
      const rows = before.flatMap((line, row) =>
        row >= inside.first && row <= inside.last && new RegExp(`\\b${word}\\b`).test(line) ? [row] : [],
      );
      const [first, last] = [rows[0], rows.at(-1)];
      if (first === undefined || last === undefined || last - first > 25) return undefined;
      return make(
        first,
        last - first + 1,
        before.slice(first, last + 1).map((line) => line.replace(new RegExp(`\\b${word}\\b`, 'g'), `${word}Renamed`)),
      );
    }
    case 'insert': {
      const statement = random.pick(statements.filter(({ first }) => !/^\s*super\b/.test(before[first]!)));
      if (statement === undefined || !isCode(before, innermost!, language)) return undefined;
      return make(statement.first, 0, [before[statement.first]!.slice(0, indentOf(before[statement.first]!)) + call(language, random)]);
    }
    case 'delete': {
      const statement = random.pick(plain);
      if (statement === undefined || statements.length < 2) return undefined;
      return make(statement.first, 1, []);
    }
    case 'edit': {
      const statement = random.pick(plain);
      if (statement === undefined) return undefined;
      const line = before[statement.first]!;
      const changed = line.replace(/(\d+|===|!==|==|\btrue\b|\bfalse\b|'[^'\\]*'|"[^"\\]*"|\bself\.\w+|\bthis\.\w+)/, (found) =>
        /^\d/.test(found)
          ? String(Number(found) + 1)
          : /^['"]/.test(found)
            ? `${found.slice(0, -1)} changed${found.at(-1)!}`
            : /^[!=]/.test(found)
              ? found.startsWith('!')
                ? found.replace('!', '=')
                : found.replace('=', '!')
              : /^(?:true|false)$/.test(found)
                ? found === 'true'
                  ? 'false'
                  : 'true'
                : `${found}Changed`,
      );
      return changed === line ? undefined : make(statement.first, 1, [changed]);
    }
    case 'define': {
      const block = around.at(-1)!;
      const indent = before[block.first]!.slice(0, indentOf(before[block.first]!));
      if (around.length !== 1 || !isCode(before, block, language)) return undefined;
      return make(block.last + 1, 0, ['', ...definition(language, random).map((line) => (line === '' ? '' : indent + line))]);
    }
  }
}

/** A block with statements in it, not an object, a list or a comment. */
const isCode = (lines: readonly string[], block: Block, language: LanguageName): boolean => {
  const text = lines.slice(block.first, block.last + 1).join('\n');
  if (language === 'Python') return /^\s*(?:async )?def /m.test(lines[block.first]!);
  if (language === 'Go' || language === 'Rust')
    return /^\s*(?:pub(?:\([^)]*\))? |async |unsafe |const )*(?:func|fn) .*\{\s*$/m.test(lines[block.first]!);
  return (
    /\)\s*(?::\s*[\w<>[\]| ]+)?\s*(?:const|throws \w+|=>|noexcept)?\s*\{\s*$/m.test(
      text.split('\n').find((line) => /[{]\s*$/.test(line)) ?? '',
    ) && !/\bswitch\b|\bclass\b/.test(text.split('\n')[0]!)
  );
};

const call = (language: LanguageName, random: Random): string =>
  `traceStep(${String(random.below(9_000) + 1_000)}, "q${String(random.below(99))}")${language === 'Python' || language === 'Go' ? '' : ';'}`;

function definition(language: LanguageName, random: Random): string[] {
  const name = `freshlyMade${String(random.below(9_000))}`;
  const count = String(random.below(900) + 100);
  switch (language) {
    case 'JavaScript':
      return [`function ${name}(input) {`, `  const scaled = input * ${count};`, '  return Math.round(scaled);', '}'];
    case 'TypeScript':
      return [
        `export function ${name}(input: number): number {`,
        `  const scaled = input * ${count};`,
        '  return Math.round(scaled);',
        '}',
      ];
    case 'Python':
      return [`def ${name}(value):`, `    scaled = value * ${count}`, '    return round(scaled)'];
    case 'Java':
      return [`class ${name} {`, `    int scaled = ${count};`, '}'];
    case 'Go':
      return [`func ${name}(input int) int {`, `\tscaled := input * ${count}`, '\treturn scaled', '}'];
    case 'Rust':
      return [`fn ${name}(input: u32) -> u32 {`, `    let scaled = input * ${count};`, '    scaled', '}'];
    case 'C++':
      return [`static int ${name}(int input) {`, `  int scaled = input * ${count};`, '  return scaled;', '}'];
  }
}
