/** What prose names is there: pages, headings, paths, commands, symbols. */
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { FILES, read } from './source-tree.js';

/** Decisions and the changelog tell what was; everything else tells what is. */
const PROSE = FILES.filter((file) => file.endsWith('.md') && !/^(docs\/decisions\/2|CHANGELOG)|__fixtures__/.test(file));
const CODE = FILES.filter((file) => /\.(ts|mjs|lua|sh|ya?ml|json)$/.test(file) && !/__fixtures__|pnpm-lock|^docs/.test(file));

/** Settings of other programs that the pages explain. */
const FOREIGN_NAMES = new Set(['ANTHROPIC_AUTH_TOKEN', 'env_key', 'model_context_window', 'model_reasoning_effort']);

const withoutBlocks = (text: string): string => text.replaceAll(/^( *)```[^]*?^\1```/gm, '');
const spansOf = (text: string): string[] => [...withoutBlocks(text).matchAll(/`([^`\n]+)`/g)].map(([, span]) => span!);
const slug = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

const pages = new Map(await Promise.all(PROSE.map(async (file) => [file, await read(file)] as const)));
const code = (await Promise.all(CODE.map(read))).join('\n');
const words = new Set(code.match(/[A-Za-z_$][\w$]*/g));
const anchorsOf = (page: string): Set<string> =>
  new Set([...withoutBlocks(pages.get(page) ?? '').matchAll(/^#+ (.+)$/gm)].map(([, heading]) => slug(heading!)));
const leadsNowhere = (page: string, anchor: string | undefined): boolean =>
  !FILES.includes(page) && !FILES.some((file) => file.startsWith(`${page.replace(/\/$/, '')}/`))
    ? true
    : anchor !== undefined && !anchorsOf(page).has(anchor);

test('each citation of the specification leads to a heading', async () => {
  const lost: string[] = [];
  for (const file of [...CODE, ...PROSE, ...FILES.filter((name) => name.endsWith('.lua'))]) {
    for (const [cited, page, anchor] of (await read(file)).matchAll(/(docs\/specification\/[\w-]+\.md)(?:#([\w-]+))?/g)) {
      if (leadsNowhere(page!, anchor)) lost.push(`${file}: ${cited}`);
    }
  }
  expect(lost).toEqual([]);
});

test.each(PROSE)('links of %s lead somewhere', (file) => {
  const links = [...withoutBlocks(pages.get(file)!).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)];
  const lost = links.filter(([, path, anchor]) => leadsNowhere(path === '' ? file : join(dirname(file), path!), anchor));
  expect(lost.map(([link]) => link)).toEqual([]);
});

const TOP = [...new Set(FILES.filter((file) => file.includes('/')).map((file) => file.split('/')[0]!))];
const asPattern = (path: string): RegExp =>
  new RegExp(
    `(^|/)${path
      .replaceAll(/[.+^$()|[\]\\]/g, '\\$&')
      .replaceAll(/\{([^}]*)\}/g, (_, names: string) => `(${names.replaceAll(/, ?/g, '|')})`)
      .replaceAll(/\*+|<[^>]+>|…/g, '[^]*')
      .replace(/\/$/, '/[^]*')}($|/)`,
  );

test.each(PROSE)('paths in %s are there', (file) => {
  const paths = spansOf(pages.get(file)!).filter(
    (span) => !/[\s'"=;]/.test(span) && (TOP.some((top) => span.startsWith(`${top}/`)) || /^[\w./<>*-]+\.(ts|mjs|lua|sh)$/.test(span)),
  );
  const lost = paths.filter((path) => !FILES.some((known) => asPattern(path).test(known)));
  expect(lost).toEqual([]);
});

const COMMANDS = new Set([...code.matchAll(/\.command\('([a-z-]+)/g)].map(([, name]) => name));
const SCRIPTS = new Set(Object.keys((JSON.parse(await read('package.json')) as { scripts: object }).scripts));
const OF_PNPM = new Set(['install', 'exec', 'add', 'fetch', 'dlx']);

test.each(PROSE)('commands in %s exist', (file) => {
  const text = pages.get(file)!;
  const commands = [...text.matchAll(/(?:^|`|\n|\.\/|\| |exec \w+ )codelab ([a-z][a-z-]*)/g)].map(([, name]) => name!);
  const scripts = [...text.matchAll(/(?:^|`|npx )pnpm (?:--\w+ )*(?:run )?([a-z][a-z:-]*)/gm)].map(([, name]) => name!);
  expect(commands.filter((name) => !COMMANDS.has(name))).toEqual([]);
  expect(scripts.filter((name) => !SCRIPTS.has(name) && !OF_PNPM.has(name))).toEqual([]);
});

/** `camelCase`, `PascalCase`, `snake_case`, `CONSTANT_CASE`, perhaps with `()`. */
const SYMBOL = /^(?:[a-z]+(?:[A-Z]\w*)+|[A-Z][a-z]+[A-Z]\w*|\w+_\w+)(?:\(\))?$/;

test.each(PROSE)('symbols in %s are there', (file) => {
  const symbols = spansOf(pages.get(file)!)
    .flatMap((span) => span.split(/[ .,]+/))
    .filter((word) => SYMBOL.test(word));
  const lost = symbols.filter((word) => !words.has(word.replace('()', '')) && !FOREIGN_NAMES.has(word));
  expect([...new Set(lost)]).toEqual([]);
});
