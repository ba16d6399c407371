import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seeded } from './random.js';

const CONSONANTS = 'b c d f g h j k l m n p r s t v w z br cl dr fl gr pl pr sh st tr'.split(' ');
const VOWELS = 'a e i o u ai ea io ou'.split(' ');
/** Different words of a tree: a large code base has about so many. */
const WORDS = 20_000;

const makeWords = (random: () => number): readonly string[] => {
  const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)]!;
  const syllable = (): string => pick(CONSONANTS) + pick(VOWELS);
  const words = new Set<string>();
  while (words.size < WORDS) words.add(syllable() + syllable() + (random() < 0.6 ? syllable() : '') + pick(['k', 'n', 'm', 't', 'l', 'r']));
  return [...words];
};

const capital = (word: string): string => word[0]!.toUpperCase() + word.slice(1);

/** A tree of source files in four languages, some 80 lines each, that call each other; the same one each time. How often words come follows the law of Zipf, as in real code. */
export function writeTree(root: string, count: number, seed: number): void {
  const random = seeded(seed);
  const words = makeWords(random);
  const word = (): string => words[Math.floor(WORDS ** random()) - 1]!; // a word is half as frequent at twice its place
  const name = (): string => [word(), ...Array.from({ length: 1 + Math.floor(random() * 2) }, () => capital(word()))].join('');
  const made: string[] = ['main'];
  for (let file = 0; file < count; file += 1) {
    const directory = join(root, `area${String(file % 40)}`, `part${String(Math.floor(file / 40) % 50)}`);
    if (file < 2_000) mkdirSync(directory, { recursive: true });
    const language = (['ts', 'py', 'go', 'java'] as const)[file % 4]!;
    const functions = Array.from({ length: 6 }, () => {
      const own = name();
      const called = made[Math.floor(random() * made.length)]!;
      if (random() < 0.3) made.push(own);
      const [argument, other] = [word(), word()];
      const said = `${capital(word())} the ${word()} ${word()} of ${word()} before the ${word()} is ${word()}.`;
      const lines = Array.from(
        { length: 7 },
        () => `${name()} = ${called}(${argument}, ${other}.${name()}(${String(Math.floor(random() * 100))}))`,
      );
      if (language === 'py') return `def ${own}(${argument}):\n    """${said}"""\n${lines.map((line) => `    ${line}`).join('\n')}\n`;
      const head = {
        ts: `export function ${own}(${argument}: string): void {`,
        go: `func ${own}(${argument} string) {`,
        java: `  void ${own}(String ${argument}) {`,
      };
      return `/** ${said} */\n${head[language]}\n${lines.map((line) => `  ${line};`).join('\n')}\n}\n`;
    });
    const body = functions.join('\n');
    const text = language === 'java' ? `class Part${String(file)} {\n${body}}\n` : language === 'go' ? `package part\n\n${body}` : body;
    writeFileSync(join(directory, `file${String(file)}.${language}`), text);
  }
}
