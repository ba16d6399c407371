import {
  applyBlocks,
  applyLazyEdit,
  loadGrammarFor,
  nearHint,
  parseBlocks,
  PatchRefused,
  planPatchedTexts,
  readPatch,
  replaceText,
} from '@codelab/vocabularies';

const times = (count: number, text: string | ((place: number) => string)): string =>
  Array.from({ length: count }, (_none, place) => (typeof text === 'string' ? text : text(place))).join('');
const numbered = (count: number, line: (place: string) => string): string => times(count, (place) => `${line(String(place))}\n`);

/** Files of about 1 MB that cost most for somebody who compares lines, parses or counts. */
const FILES: Readonly<Record<string, () => string>> = {
  'functions.js': () => numbered(12_000, (n) => `function f${n}(input) {\n  const scaled = input * ${n};\n  return scaled;\n}`),
  'functions.py': () => numbered(12_000, (n) => `def f${n}(value):\n    scaled = value * ${n}\n    return scaled\n`),
  'one-line.js': () => times(170_000, 'a(b);'),
  'equal-lines.js': () => times(100_000, 'run();\n'),
  'equal-lines.txt': () => times(100_000, 'run();\n'),
  'blank-lines.ts': () => times(400_000, '\n'),
  'closers.js': () => times(100_000, '}\n'),
  'openers.js': () => times(100_000, '{\n'),
  'parentheses.js': () => `${times(300_000, '(')}\n${times(300_000, ')')}`,
  'deep.js': () => `${times(20_000, 'if (a) {\n')}${times(20_000, '}\n')}`,
  'deep-lists.json': () => `${times(100_000, '[\n')}${times(100_000, ']\n')}`,
  'deep.py': () => numbered(1_200, (n) => `${' '.repeat(Number(n))}if a:`),
  'deep.txt': () => numbered(1_200, (n) => `${' '.repeat(Number(n))}if a:`),
  'conditions.cc': () => `${times(20_000, '#if A\n')}int a;\n${times(20_000, '#endif\n')}`,
  'templates.cc': () => `${times(100_000, 'a<')}b${times(100_000, '>')} c;\n`,
  'elements.tsx': () => `const a = (\n${times(20_000, '<b>\n')}${times(20_000, '</b>\n')});\n`,
  'comments.ts': () => numbered(40_000, (n) => `// ${n} ... existing`),
  'quotes.js': () => times(120_000, '\'"`${\n'),
  'open-comment.java': () => `/*${times(100_000, ' * *\n')}`,
  'patterns.js': () => times(60_000, '/(a+)+$/.*[\\\n'),
  'mixed-ends.ts': () => `\uFEFF${times(40_000, (n) => `a${String(n)}();${n % 3 === 0 ? '\r\n' : n % 3 === 1 ? '\n' : '\r'}`)}end()`,
  'astral.py': () => numbered(40_000, (n) => `𝒂${n} = "😀\uD800\uFFFD"`),
};

type Outcome = 'applied' | 'refused';
type Edit = (path: string, text: string) => Outcome;

const lazy =
  (changes: (text: string) => string): Edit =>
  (path, text) =>
    applyLazyEdit({ path, text }, changes(text)).ok ? 'applied' : 'refused';
const blocks =
  (write: (text: string) => string): Edit =>
  (_path, text) => {
    const parsed = parseBlocks([write(text)]);
    return parsed.ok && applyBlocks(text, parsed.blocks).ok ? 'applied' : 'refused';
  };
const patch =
  (write: (path: string, lines: readonly string[]) => string): Edit =>
  (path, text) => {
    try {
      planPatchedTexts(readPatch(write(path, text.split('\n'))), new Map([[path, text]]));
      return 'applied';
    } catch (error) {
      if (error instanceof PatchRefused) return 'refused';
      throw error;
    }
  };
const changed = (text: string): string => text.replace(/\w(?=\W*$)/, 'Z');
const every = (text: string, step: number, line: string): string =>
  text
    .split('\n')
    .map((one, place) => (place % step === 0 ? line : one))
    .join('\n');

/** Edits that cost most in such files. */
const EDITS: Readonly<Record<string, Edit>> = {
  'lazy: the whole file': lazy((text) => changed(text)),
  'lazy: a placeholder in each second line': lazy((text) => every(text, 2, '// ...')),
  'lazy: the whole file below a placeholder': lazy((text) => `// ... existing code ...\n${changed(text)}`),
  'lazy: a fragment': lazy(() => 'function f7(input) {\n  return 1;\n}'),
  'lazy: thousands of new lines': lazy(() => `// ...\n${numbered(10_000, (n) => `fresh${n}(${n});`)}// ...`),
  'lazy: thousands of placeholders': lazy(() => times(40_000, '// ...\n')),
  'lazy: one long line': lazy(() => `// ...\n${times(200_000, 'a(b);')}`),
  'lazy: thousands of hunks': lazy((text) => {
    const lines = text.split('\n', 900);
    return times(900, (n) => `@@ -${String(n)},2 +${String(n)},2 @@\n ${lines[n] ?? ''}\n-x\n+y\n`);
  }),
  'blocks: half of the file': blocks((text) => `<<<<<<< SEARCH\n${text.slice(0, text.length / 2)}\n=======\nx\n>>>>>>> REPLACE`),
  'blocks: half of the file, other indentation': blocks(
    (text) => `<<<<<<< SEARCH\n${text.slice(0, text.length / 2).replaceAll(/^/gm, ' ')}\n=======\nx\n>>>>>>> REPLACE`,
  ),
  'blocks: 200': blocks((text) => {
    const lines = text.split('\n', 600);
    return times(200, (n) => `<<<<<<< SEARCH\n${lines[n * 3] ?? ''}\n=======\n${String(n)}\n>>>>>>> REPLACE\n`);
  }),
  'blocks: thousands of marks': blocks(() => times(100_000, '<<<<<<< SEARCH\n=======\n')),
  'patch: thousands of hunks': patch(
    (path, lines) =>
      `--- a/${path}\n+++ b/${path}\n${times(1_000, (n) => `@@ @@\n ${lines[n * 4] ?? ''}\n-${lines[n * 4 + 1] ?? ''}\n+${String(n)}\n`)}`,
  ),
  'patch: thousands of hunks, other indentation': patch(
    (path, lines) => `--- a/${path}\n+++ b/${path}\n${times(1_000, (n) => `@@ @@\n    ${lines[n * 4 + 1] ?? ''}\n+${String(n)}\n`)}`,
  ),
  'patch: half of the file': patch(
    (path, lines) =>
      `--- a/${path}\n+++ b/${path}\n@@\n${lines
        .slice(0, lines.length / 2)
        .map((line) => `-${line}`)
        .join('\n')}\n+x`,
  ),
  'patch: thousands of anchors': patch(
    (path, lines) =>
      `*** Begin Patch\n*** Update File: ${path}\n${numbered(20_000, (n) => `@@ ${n}`)} ${lines[0] ?? ''}\n+x\n*** End Patch`,
  ),
  'patch: thousands of headers': patch((path) => `--- a/${path}\n+++ b/${path}\n${times(100_000, '@@ -1,9 +1,9 @@\n')}`),
  'patch: 200 sections': patch(
    (path, lines) =>
      `*** Begin Patch\n${times(200, (n) => `*** Update File: ${path}\n@@\n-${lines[n * 5] ?? ''}\n+${String(n)}\n`)}*** End Patch`,
  ),
  'replace: a text of 1,000 repeats': (_path, text) =>
    replaceText(text, { old_string: text.slice(0, 9).repeat(1_000), new_string: '' }, { tolerant: true }).ok ? 'applied' : 'refused',
  'replace: all': (_path, text) =>
    replaceText(text, { old_string: '\n', new_string: '\n\n', replace_all: true }).ok ? 'applied' : 'refused',
  hint: (_path, text) => (nearHint(text, `${text.slice(3, 90_000)}?`) === '' ? 'refused' : 'applied'),
};

/** One edit of one file, with what it cost. */
export interface Cost {
  readonly file: string;
  readonly edit: string;
  readonly outcome: Outcome;
  /** Milliseconds of the processor. */
  readonly cpu: number;
}

/** Applies every edit to every file. */
export async function runHostile(chosen: (file: string, edit: string) => boolean = () => true): Promise<Cost[]> {
  const costs: Cost[] = [];
  for (const [file, make] of Object.entries(FILES)) {
    await loadGrammarFor(file);
    const text = make();
    for (const [edit, apply] of Object.entries(EDITS)) {
      if (!chosen(file, edit)) continue;
      const before = process.cpuUsage();
      const outcome = apply(file, text);
      const { user, system } = process.cpuUsage(before);
      costs.push({ file, edit, outcome, cpu: Math.round((user + system) / 1_000) });
    }
  }
  return costs;
}
