import { verifies } from '@codelab/testkit';
import { describe, expect, test } from 'vitest';
import { describeCommand } from './describe-command.js';
import { isCommandAllowedBy } from './rule-options/__fixtures__/is-command-allowed-by.js';
import { judgeCommand, type SimpleCommand } from './judge-command.js';
import { suggestPrefixes } from './rule-options/suggest-prefixes.js';

const last = (line: string): SimpleCommand => judgeCommand(line).commands.at(-1)!;

describe(verifies('H1:command-wrappers', 'wrappers are taken off, and what they run is judged'), () => {
  test.each<[string, string[], string[]]>([
    ['timeout -k 3 60 npm test', ['timeout'], ['npm', 'test']],
    ['env npm test', ['env'], ['npm', 'test']],
    ['nice -n 5 nohup npm test', ['nice', 'nohup'], ['npm', 'test']],
    ["bash -lc 'npm test'", ['bash'], ['npm', 'test']],
    ['sudo -u me npm test', ['sudo'], ['npm', 'test']],
    ['xargs -0 -n 1 rm', ['xargs'], ['rm']],
    ["sh -c 'timeout 5 npm test'", ['sh', 'timeout'], ['npm', 'test']],
    ['stdbuf -oL busybox ls', ['stdbuf', 'busybox'], ['ls']],
  ])('%s', (line, wrappers, words) => expect(last(line)).toMatchObject({ wrappers, words }));
  test.each([
    'env A=b npm test',
    'xargs npm test',
    'timeout --odd 5 npm test',
    'sudo npm test',
    'env -C x npm test',
    'bash -O extglob -c "npm test"',
    'watch npm test',
  ])('%s is nothing that a rule can allow', (line) => expect(judgeCommand(line).commands.every(({ literal }) => !literal)).toBe(true));
});

describe(verifies('H1:command-runs', 'files of the workspace whose code a command runs are told, seen from where the line starts'), () => {
  test.each<[string, string[], boolean]>([
    ['npm test', ['package.json'], true],
    ['npm run test', ['package.json'], true],
    ['npm run -s build -- --watch', ['package.json'], true],
    ['pnpm test --coverage', ['package.json'], true],
    ['yarn deploy', ['package.json'], true],
    ['bun run x.ts', ['package.json', 'x.ts'], true],
    ['bun ./x', ['package.json', 'x'], true],
    ['npm --prefix sub test', [], false],
    ['npm test --script-shell=./x', ['package.json'], false],
    ['pnpm -r test', ['package.json'], false],
    ['npm install x', [], true],
    ['./x.sh a', ['x.sh'], true],
    ['bin/x', ['bin/x'], true],
    ['../x', ['../x'], false],
    ['/opt/x', ['/opt/x'], false],
    ['sh x.sh a.sh', ['x.sh'], true],
    ['bash -e ./x.sh', ['x.sh'], true],
    ['bash --rcfile y x.sh', [], false],
    ['node x.js', ['x.js'], true],
    ['node --require ./a.js --import=./b.js x.js', ['a.js', 'b.js', 'x.js'], true],
    ['node --conditions dev x.js', [], false],
    ['node -e 1', [], true],
    ['python3 -u x.py', ['x.py'], true],
    ['python -m pytest', [], true],
    ['python -', [], false],
    ['source x', ['x'], true],
    ['make test', ['Makefile'], true],
    ['make -f x.mk test', ['x.mk'], true],
    ['make -fx.mk', ['x.mk'], true],
    ['make SHELL=./x test', ['Makefile'], false],
    ['make -C sub', ['Makefile'], false],
    ['make --eval=x', ['Makefile'], false],
    ['just build', ['justfile'], true],
    ['docker compose up -d', ['compose.yaml'], true],
    ['docker compose -f a.yml up', ['a.yml'], true],
    ['cargo test', [], true],
    ['cargo test --config x', [], false],
    ['go test -exec ./x', [], false],
    ['git -c a=b commit', [], false],
    ['cd sub && npm test', ['sub/package.json'], true],
    ['cd sub && cd ./deep && ./x', ['sub/deep/x'], true],
    ['cd sub; ./x', ['x', 'sub/x'], true],
    ['cd sub || exit; ./x', ['x', 'sub/x'], true],
    ['(cd sub); ./x', ['x'], true],
    ['cd sub | ls; ./x', ['x'], true],
    ['cd "$X"; ./x', ['x'], false],
    ['cd -; ./x', ['x'], false],
    ['cat x | bash', [], false],
    ['python < x.py', [], false],
  ])('%s runs %j', (line, runs, literal) => expect(last(line)).toMatchObject({ runs, literal }));
});

describe(verifies('H1:command-paths', 'the paths that a harmless command reads are all told'), () => {
  test.each<[string, string[]]>([
    ['ls', []],
    ['ls -la src ./a//b', ['src', 'a/b']],
    ['cat -n -- -x a', ['-x', 'a']],
    ['head -n 5 a -c 3 b', ['a', 'b']],
    ['cat < a', ['a']],
    ['grep -e x a b', ['a', 'b']],
    ['grep x a b', ['a', 'b']],
    ['rg --files src', ['src']],
    ['find src lib -name a', ['src', 'lib']],
    ['git diff main..x -- src/a', ['src/a']],
    ['git status src', ['src']],
    ['sed -n 1,5p a', ['a']],
    ['ls -d src/*.ts', ['src']],
    ['echo a link/* b/c', ['link']],
    ['cd src', ['src']],
    ['cd src && cat a', ['src/a']],
    ['cd src; cat a', ['a', 'src/a']],
    ['sh -c "cat a"', ['a']],
  ])('%s reads %j', (line, paths) => {
    expect(judgeCommand(line).verdict).toBe('automatic');
    expect(last(line).paths).toEqual(paths);
  });
});

describe(
  verifies('H1:command-rule', 'a rule covers a line only if each command is harmless or begins with its words, and the words say all'),
  () => {
    const allows = (command: readonly string[], line: string, exact = false): boolean =>
      isCommandAllowedBy(judgeCommand(line), { command, exact });
    test.each([
      'npm test',
      'npm test -- a',
      'ls && npm test',
      'npm test | tail -5',
      'timeout 60 npm test',
      'npm test 2>&1',
      'npm test >/dev/null',
      'cd sub && npm test',
      'bash -lc "npm test"',
      'n"p"m te\\st',
      '(npm test)',
    ])('npm test allows %s', (line) => expect(allows(['npm', 'test'], line)).toBe(true));
    test.each([
      'npm tests',
      'npm run test',
      'npm test; rm x',
      'npm test && curl x',
      'rm x | npm test',
      'npm test $X',
      'npm test $(ls)',
      'npm test *',
      'npm test > x',
      'PATH=. npm test',
      'env A=b npm test',
      'xargs npm test',
      'sudo npm test',
      'npm() { x; }; npm test',
      'alias npm=x; npm test',
      'cd "$X" && npm test',
      'cd / && npm test',
      'npm test | sh',
      'npm test --prefix x',
      './npm test',
      'if ls; then npm test; fi',
      'npm test {a,b}',
      'npm test ~',
      'npm test <<E\n$(x)\nE',
      'npm test (',
      '',
      'export A=b; npm test',
      "find . -exec npm test ';'",
      "bash <<'E'\nnpm test\nE",
    ])('npm test does not allow %j', (line) => expect(allows(['npm', 'test'], line)).toBe(false));
    test('an exact rule allows its words and no more', () => {
      expect(allows(['npm', 'test'], 'npm test', true)).toBe(true);
      expect(allows(['npm', 'test'], 'npm test -- a', true)).toBe(false);
    });
    test('nothing allows what is refused, and a rule without words allows nothing', () => {
      expect(allows(['rm'], 'rm -rf /')).toBe(false);
      expect(allows(['rm'], 'rm x; sudo ls')).toBe(false);
      expect(allows([], 'npm test')).toBe(false);
      expect(allows(['export'], 'export A=b')).toBe(false);
    });
  },
);

describe(
  verifies('H1:command-suggest', 'rules that are suggested go from the exact command to its kind, and never to arbitrary code'),
  () => {
    const suggested = (line: string): readonly string[] =>
      suggestPrefixes(line).map(({ words, exact }) => words.join(' ') + (exact ? '.' : ''));
    test.each<[string, string[]]>([
      ['npm run test -- --watch', ['npm run test -- --watch.', 'npm run test']],
      ['npm test', ['npm test.', 'npm test']],
      ['git commit -m "a b"', ['git commit -m a b.', 'git commit']],
      ['cargo test -q', ['cargo test -q.', 'cargo test']],
      ['make test', ['make test.', 'make test']],
      ['npx jest a', ['npx jest a.', 'npx jest']],
      ['timeout 9 npm test', ['npm test.', 'npm test']],
      ['./x.sh', ['./x.sh.']],
      ['rm x', ['rm x.']],
      ['node x.js', ['node x.js.']],
      ['npm install x', ['npm install x.']],
      ['npm test | tail -5', ['npm test.']],
      ['cd sub && npm test', ['npm test.']],
      ['cd sub && rm x', []],
      ['npm test && npm run lint', []],
    ])('%s: %j', (line, expected) => expect(suggested(line)).toEqual(expected));
    test.each([
      'ls',
      '',
      'npm test $X',
      'npm test > x',
      'A=b npm test',
      'npm test | sh',
      'curl x | bash',
      'sudo npm test',
      'xargs npm test',
      'rm -rf /',
      'export A=b',
      'rm *',
      'npm test (',
      'make SHELL=x test',
      'python - ',
      `rm ${'a '.repeat(64)}`,
    ])('nothing for %j', (line) => expect(suggestPrefixes(line)).toEqual([]));
    test.each([
      'bash x',
      'sh -i',
      'node x',
      'python x',
      'python -c x',
      'python -m x',
      'npx x',
      'pnpm dlx x',
      'git push',
      'git -P push',
      'git fetch',
      'git rebase -x y',
      'git bisect run x',
      'npm exec x',
      'npm x y',
      'npm run',
      'npm run -- x',
      'make',
      'make -j4',
      'docker run x',
      'docker exec x y',
      'docker compose run x',
      'docker compose exec x y',
      'curl x',
      'ssh x',
      'awk x',
      'sed x y',
      'perl x',
      'deno run x',
      'find . -delete',
      'find . -exec x {} +',
      'tar xf x',
      'kubectl exec x',
      'go run x',
      'cargo run',
      'cargo install x',
      'uv run x',
      'make -f x',
      'eslint -c x .',
      'unknown x',
    ])('nothing but the exact command for %s', (line) => expect(suggestPrefixes(line).filter(({ exact }) => !exact)).toEqual([]));
    test('what is suggested allows the line that it was suggested for', () => {
      for (const line of ['npm test', 'npm run a -- b', 'git commit -m x', 'npm test | tail -5', 'cd sub && npm test']) {
        for (const { words, exact } of suggestPrefixes(line))
          expect(isCommandAllowedBy(judgeCommand(line), { command: words, exact })).toBe(true);
      }
    });
  },
);

describe(
  verifies(
    'H1:command-describe',
    'an approver reads what each command does, inside which wrappers, and nothing that a terminal would hide',
  ),
  () => {
    test.each<[string, string]>([
      ['npm test', 'npm test: asks, runs scripts of the workspace\n  runs the code of package.json'],
      ['timeout 5 ls 2>/dev/null', 'ls: harmless, only looks\n  inside timeout\n  redirects 2>/dev/null'],
      ['r\\m -rf / ; ls', 'rm -rf /: is refused, removes the system or a whole home\nls: harmless, only looks'],
      ["ls 'x", "asks: the command can't be parsed: "],
    ])('%s', (line, text) => expect(describeCommand(line)).toContain(text));
    test.each(['echo "\u001b[2Jx"', 'echo \u202egpj', 'x\u200by', 'x\ry', 'echo "a\nb"', 'x \u001b]0;y\u0007'])(
      '%j shows its characters',
      (line) => expect(describeCommand(line)).toMatch(/^[\x20-\x7e⏎]+(\n[\x20-\x7e⏎]+)*$/),
    );
    test('many commands and long ones are cut', () => {
      expect(describeCommand('x;'.repeat(300)).split('\n')).toHaveLength(21);
      expect(describeCommand(`x ${'a'.repeat(20_000)}`).length).toBeLessThan(500);
    });
  },
);
