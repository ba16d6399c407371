import { expect, test } from 'vitest';
import { makePlan } from '../make-plan.js';
import { composeGuide } from './compose-overview.js';
import { readManifest } from './read-manifest.js';
import { readReadme } from './read-readme.js';
import { surveyFiles } from './survey-files.js';

const isOverview = (request: string): boolean =>
  makePlan(request)
    .stages.flat()
    .some(({ doing }) => doing.startsWith('look at the README'));

test.each([
  ...['what does this repository do?', 'What is this project about?', 'Hi! What does this repo do', 'describe this codebase', 'overview'],
  ...[
    'explain this project to me',
    'summarize the repository',
    'tell me about this project',
    'how do I run this project?',
    'what is this?',
  ],
  ...['что делает этот репозиторий?', '이 저장소는 무엇을 하나요?'],
])('%j asks what a project is', (request) => expect(isOverview(request)).toBe(true));

test.each([
  ...['what files are in this project?', 'what changed in this repository?', 'explain quantum physics', 'read README.md', 'show the diff'],
  ...['git status of this repository', 'what is in a.txt', "don't explain this project", 'search for project'],
])('%j does not', (request) => expect(isOverview(request)).toBe(false));

test('a README is read past badges, pictures and lists, and code is no heading', () => {
  const text = `<h1 align="center">x</h1>\n\n[![ci](a)](b)\n\nTitle\n=====\n\n- [a](#a)\n\nIt [does](x) the\nthing for everybody who needs it.\n\nMore.\n\n## Install\n\n~~~sh\n# npm i x\n~~~\n`;
  expect(readReadme(text)).toEqual({
    title: 'Title',
    intro: 'It does the thing for everybody who needs it.',
    start: { heading: 'Install', code: '# npm i x' },
  });
  expect(readReadme('')).toEqual({ title: undefined, intro: undefined, start: undefined });
  expect(readReadme('```\nnever closed').title).toBeUndefined();
});

test('manifests tell how to work with a project', () => {
  const has = (path: string): boolean => ['pnpm-lock.yaml', 'uv.lock', 'src/main.rs'].includes(path);
  const node = { name: 'a', bin: './b.js', exports: { '.': { import: { default: './c.js' } } }, scripts: { dev: 'x', test: 'y' } };
  expect(readManifest('package.json', JSON.stringify(node), has)).toMatchObject({
    commands: [
      { what: 'install', command: 'pnpm install' },
      { what: 'start', command: 'pnpm run dev' },
      { what: 'test', command: 'pnpm test' },
    ],
    entries: ['c.js', 'b.js (command a)'],
  });
  expect(readManifest('package.json', '[]', has)).toBeUndefined();
  const toml = '[project]\nname = "p"\ndescription = "says it"\n[project.scripts]\nrun-p = "p.cli:main"\n[tool.pytest]\n';
  expect(readManifest('pyproject.toml', toml, has)).toMatchObject({
    name: 'p',
    description: 'says it',
    entries: ['p.cli:main (command run-p)'],
  });
  expect(readManifest('Cargo.toml', '[package]\nname = "r"\n', has)?.commands.map(({ command }) => command)).toContain('cargo run');
  expect(readManifest('pom.xml', '<parent><artifactId>no</artifactId></parent><artifactId>m</artifactId>', has)?.name).toBe('m');
  expect(readManifest('Makefile', 'X := 1\ntest: a\n\tdo\n', has)?.commands).toEqual([{ what: 'test', command: 'make test' }]);
});

test('paths tell languages, folders and entry points; what was installed or built does not count', () => {
  const { languages, folders, entries, files } = surveyFiles([
    'src/',
    'src/main.ts',
    'src/a/b.ts',
    'test/a.py',
    'node_modules/x/i.js',
    'README.md',
  ]);
  expect(languages).toEqual([
    { name: 'TypeScript', files: 2 },
    { name: 'Python', files: 1 },
  ]);
  expect(folders.map(({ name, role, holds }) => [name, role, holds])).toEqual([
    ['src', 'the source', ['a']],
    ['test', 'tests', []],
  ]);
  expect([entries, files]).toEqual([['src/main.ts'], 4]);
});

test('a guide for agents says what a project is and how to work with it', () => {
  const manifests = [
    readManifest('package.json', JSON.stringify({ name: 'a', description: 'Does it.', scripts: { test: 'x' } }), () => false)!,
  ];
  const facts = { readme: undefined, manifests, survey: surveyFiles(['src/a.ts']), read: ['package.json'], isCut: false };
  expect(composeGuide(facts)).toMatch(
    /^# a\n\nDoes it\.\n\n## How to work with it\n\n- Install: `npm install`\n- Test: `npm test`\n\n## [^]*src\/[^]*\n$/,
  );
  for (const request of ['write AGENTS.md', 'Prepare AGENTS.md, the guide.\n\nLook first:\n- README'])
    expect(makePlan(request).stages.flat()).toMatchObject([{ doing: expect.stringContaining('AGENTS.md') }]);
  expect(makePlan('create AGENTS.md with "hello"').stages.flat()).toMatchObject([{ doing: 'write `AGENTS.md`' }]);
});
