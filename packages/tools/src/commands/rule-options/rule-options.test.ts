import { verifies } from '@codelab/testkit';
import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { isCommandAllowedBy } from './__fixtures__/is-command-allowed-by.js';
import { judgeCommand } from '../judge-command.js';
import { suggestPrefixes } from './suggest-prefixes.js';
import { DOCKER } from './docker.js';
import { GIT } from './git.js';
import { JAVASCRIPT } from './javascript.js';
import { JVM_AND_DOTNET } from './jvm-and-dotnet.js';
import { PYTHON } from './python.js';
import { RECIPES } from './recipes.js';
import type { RuleOptions } from './rule-options.js';
import { RUST_AND_GO } from './rust-and-go.js';

const covers = (rule: string, line: string): boolean => isCommandAllowedBy(judgeCommand(line), { command: rule.split(' ') });
const rows = (text: string): readonly [string, string][] =>
  text
    .trim()
    .split('\n')
    .flatMap((row) => {
      const [rule, lines] = row.split(' ⇒ ') as [string, string];
      return lines.split(' ¦ ').map((line): [string, string] => [rule, line.startsWith('~') ? rule + line.slice(1) : line]);
    });

const COVERED = rows(String.raw`
npm test ⇒ ~ ¦ ~ a ¦ ~ -s ¦ ~ -- --watch ¦ ~ -- --watch=false src/a.test.ts ¦ ~ -- -t 'adds two' ¦ ~ -- --coverage -u
npm run test ⇒ ~ ¦ ~ -- --watch ¦ npm run test -- --grep=x
pnpm test ⇒ ~ --coverage ¦ ~ -t name ¦ ~ src ¦ ~ -- --ci
jest ⇒ ~ ¦ ~ src/a.test.ts -t 'a b' ¦ ~ --watch=false path ¦ ~ --ci --coverage ¦ ~ -i -u ¦ ~ --testNamePattern=/x/ ¦ ~ -w=4
npx jest ⇒ ~ --runInBand a
npx vitest ⇒ ~ run --coverage ¦ ~ -t name src
mocha ⇒ ~ --grep x test/a.js ¦ ~ -b --timeout 500
tsc ⇒ ~ --noEmit ¦ ~ -p packages/x --noEmit ¦ ~ -b ¦ ~ --noEmit --pretty false ¦ ~ --target es2022 a.ts
git commit ⇒ ~ -m 'a: /etc/passwd, ../x' ¦ ~ -am x ¦ ~ -a --message=/x ¦ ~ --amend --no-edit ¦ ~ -m x -- src/a.ts ¦ ~ -m x src ¦ ~ -F msg.txt ¦ ~ --file=msg.txt
git add ⇒ ~ -A ¦ ~ . ¦ ~ src/a.ts -- -x ¦ ~ -u -v
git checkout ⇒ ~ -b feature/x ¦ ~ main ¦ ~ - ¦ ~ -- a ¦ ~ HEAD~2 -- a ¦ ~ '@{u}'
git switch ⇒ ~ -c x ¦ ~ - ¦ ~ --detach v1
git tag ⇒ ~ v1 ¦ ~ -a v1 -m 'x /y' ¦ ~ -l 'v*'
git branch ⇒ ~ x ¦ ~ -D x ¦ ~ -m a b
git stash ⇒ ~ ¦ ~ pop ¦ ~ push -m x -- a ¦ ~ apply 'stash@{0}'
cargo test ⇒ ~ ¦ ~ --release ¦ ~ -p x name::of -- --nocapture --test-threads=1 ¦ ~ -qr ¦ ~ --target-dir target2 ¦ ~ -Fa,b
cargo clippy ⇒ ~ --all-targets -- -D warnings
cargo fmt ⇒ ~ -- --check
go test ⇒ ~ ./... ¦ ~ ./... -run X -v ¦ ~ -race -count=1 ./x ¦ ~ -coverprofile=c.out ./... ¦ ~ -bench . --timeout 3s
go vet ⇒ ~ ./...
make test ⇒ ~ ¦ ~ -j4 ¦ ~ -k
make ⇒ make target ¦ make -j4 lint build/x.o
just build ⇒ ~ -q
gradle test ⇒ ~ --tests 'a.B' -q ¦ ~ --no-daemon
./gradlew test ⇒ ~ -q
mvn test ⇒ ~ -q -B -pl a -T 4
dotnet test ⇒ ~ --no-build -c Release
pytest ⇒ ~ -q -x -k name ¦ ~ tests/test_a.py::TestX::test_y ¦ ~ -vv --tb=short ¦ ~ --maxfail 2 ¦ ~ --cov=src --cov-report=term-missing ¦ ~ -n4 -m 'not slow' ¦ ~ -rA --lf
python -m pytest ⇒ ~ -x tests
ruff ⇒ ~ check --fix . ¦ ~ format --check src
docker ps ⇒ ~ -a ¦ ~ --format '{{.Names}}' --no-trunc
docker compose down ⇒ ~ --remove-orphans ¦ ~ web
rm ⇒ ~ a b/c
grep ⇒ ~ -rn foo src
`);

const ASKED = rows(String.raw`
npm test ⇒ ~ -- --config=/tmp/x.js ¦ ~ -- --config x.js ¦ ~ -- -c x.js ¦ ~ -- --require ./a.js ¦ ~ -- -e 1 ¦ ~ -- ../x ¦ ~ -- -t /x ¦ ~ -- --basetemp=/outside ¦ ~ -- --watch=/x ¦ ~ -- @x ¦ ~ --script-shell x ¦ ~ /x
pnpm test ⇒ ~ --config=x.js ¦ ~ -C .. ¦ ~ --rootDir=/x ¦ ~ /x ¦ ~ -- --config=x
bun test ⇒ ~ --preload=./x.ts ¦ ~ --preload x.ts
jest ⇒ ~ --changedSince=--output=x ¦ ~ -t=--config=x ¦ ~ --config=/tmp/x.js ¦ ~ --config x.js ¦ ~ -c x.js ¦ ~ -c=x.js ¦ ~ -wc x.js ¦ ~ -ic x.js ¦ ~ -t --config=x.js ¦ ~ --confi=x.js ¦ ~ --rootDir=/x ¦ ~ --setupFiles=a ¦ ~ --globals.x=y ¦ ~ --watch=/x ¦ ~ /x ¦ ~ a ../b ¦ ~ --outputFile=x ¦ ~ --t=x
npx jest ⇒ ~ --resolver=x ¦ ~ --filter=x
mocha ⇒ ~ --require=/tmp/x.js ¦ ~ --require ./x.js ¦ ~ -r ./x ¦ ~ -r./x ¦ ~ -br x ¦ ~ -R x ¦ ~ --import=./x ¦ ~ --node-option=x ¦ ~ --config=x ¦ ~ -g -r=x
npx vitest ⇒ ~ --config=x ¦ ~ --root=.. ¦ ~ --coverage.reportsDirectory=/x ¦ ~ --run /x
tsc ⇒ ~ -p /x ¦ ~ --project ../x ¦ ~ --outDir /x ¦ ~ --outDir .git ¦ ~ @x ¦ ~ --generateTrace x ¦ ~ -p @x/../../y
git commit ⇒ ~ -a --file=/etc/passwd ¦ ~ -F/etc/passwd ¦ ~ -F /etc/passwd ¦ ~ -vF/etc/passwd ¦ ~ -qvF /etc/passwd ¦ ~ --file /etc/passwd ¦ ~ --fil=/etc/passwd ¦ ~ --fi /etc/passwd ¦ ~ -F ../x ¦ ~ -t/x ¦ ~ --template=x ¦ ~ -S ¦ ~ -c HEAD ¦ ~ --pathspec-from-file=x ¦ ~ -m x -- /x ¦ ~ -m x ../y ¦ ~ -e ¦ ~ --trailer=a:b ¦ ~ -m --file=/x ¦ ~ -m x :/ ¦ ~ -m x ':(top)y' ¦ ~ -F ~/x ¦ ~ -F '~/x' ¦ ~ -F 'C:\x'
git add ⇒ ~ --pathspec-from-file=/etc/passwd ¦ ~ --pathspec-from-fil=/x ¦ ~ -p ¦ ~ -e ¦ ~ /x ¦ ~ -- /x ¦ ~ :/ ¦ ~ -vp
git tag ⇒ ~ -F/etc/passwd v1 ¦ ~ -aF/etc/passwd v1 ¦ ~ -aF /x v1 ¦ ~ -s v1 ¦ ~ -u key v1 ¦ ~ -v v1 ¦ ~ --format=%x ¦ ~ --verify v1
git checkout ⇒ ~ --pathspec-from-file=x ¦ ~ -p ¦ ~ --recurse-submodules x ¦ ~ -- /x
git branch ⇒ ~ --edit-description
git ⇒ git push --force ¦ git commit -F /x ¦ git -C x commit ¦ git config x /y ¦ git commit --gpg-sign
cargo test ⇒ ~ --target-dir=/outside ¦ ~ --target-dir /outside ¦ ~ --manifest-path=/x ¦ ~ -Zx ¦ ~ -qC/x ¦ ~ -- --logfile=x ¦ ~ -- --logfile x ¦ ~ --target=/x.json ¦ ~ --config=x ¦ ~ -p --config=x
cargo clippy ⇒ ~ -- -C linker=x ¦ ~ -- -Clinker=x
cargo fmt ⇒ ~ -- --config-path /x ¦ ~ -- /x.rs
go test ⇒ ~ -coverprofile=/x ¦ ~ --coverprofile=/x ¦ ~ -coverprofile ../x ¦ ~ -exec ./x ¦ ~ -toolexec=x ¦ ~ -o x ¦ ~ -args -x ¦ ~ -outputdir=/x ./... ¦ ~ -overlay x ¦ ~ /x ¦ ~ -test.cpuprofile=/x
go vet ⇒ ~ -vettool=x
make test ⇒ ~ deploy ¦ ~ -j4 deploy ¦ ~ -- deploy ¦ ~ build/x.o ¦ ~ -C / ¦ ~ -f /x ¦ ~ X=/y ¦ ~ '$(shell id)' ¦ ~ 'a;b' ¦ ~ --eval=x ¦ ~ /x ¦ ~ ../x ¦ ~ -kC/x
just build ⇒ ~ deploy ¦ ~ 'x; id' ¦ ~ '$(id)' ¦ ~ -f x ¦ ~ --set a b
gradle test ⇒ ~ publish ¦ ~ :app:run ¦ ~ -q publish ¦ ~ -I x ¦ ~ -Px=y ¦ ~ --init-script=x ¦ ~ -qI x
mvn test ⇒ ~ deploy ¦ ~ org.example:any-maven-plugin:1.0:run ¦ ~ -q dependency:get ¦ ~ -f /x ¦ ~ -Dexec=x ¦ ~ -s x
pytest ⇒ ~ --basetemp=/outside ¦ ~ --basetemp x ¦ ~ --baset=/x ¦ ~ -p evil ¦ ~ -pevil ¦ ~ -xp evil ¦ ~ -c x.ini ¦ ~ --rootdir=/x ¦ ~ --cov-config=x ¦ ~ -o a=b ¦ ~ --confcutdir=/x ¦ ~ @args ¦ ~ @/tmp/args ¦ ~ /x ¦ ~ --junitxml=/x ¦ ~ --cov-report=html:/x ¦ ~ --cov=/x ¦ ~ --ignore=/x ¦ ~ -k --basetemp=/x ¦ ~ --pastebin=all ¦ ~ --html=/x ¦ ~ a:/x
python -m pytest ⇒ ~ -p x ¦ ~ /x
ruff ⇒ ~ check --config=x ¦ ~ check /x ¦ ~ --output-file=x
black ⇒ ~ -c x ¦ ~ --config=x ¦ ~ /x
docker ps ⇒ ~ --config=/x ¦ ~ -H x
docker compose down ⇒ ~ -v ¦ ~ --volumes ¦ ~ --rmi=all
rm ⇒ ~ -r a ¦ ~ /x ¦ ~ --x=y ¦ ~ a=/x ¦ ~ a ../x
curl ⇒ ~ http://x ¦ ~ -o x y ¦ ~ @x ¦ ~ --data=@/etc/passwd x ¦ ~ -d@/x y ¦ ~ file:///x
./x.sh ⇒ ~ --x ¦ ~ /x
`);

describe(
  verifies(
    'H1:rule-options',
    'a rule lets a program have options of its table only, and paths of the workspace, also as values of options',
  ),
  () => {
    test.each(COVERED)('%s covers %s', (rule, line) => expect(covers(rule, line)).toBe(true));
    test.each(ASKED)('%s does not cover %s', (rule, line) => expect(covers(rule, line)).toBe(false));

    test('what the rule names word by word is allowed, and nothing beside it', () => {
      expect(covers('git commit -F /tmp/message', 'git commit -F /tmp/message')).toBe(true);
      expect(covers('jest -c x.js', 'jest -c x.js -i')).toBe(true);
      expect(covers('jest -c x.js', 'jest -c x.js -c y.js')).toBe(false);
      expect(covers('git commit -F', 'git commit -F /etc/passwd')).toBe(false);
      expect(covers('git commit -m', 'git commit -m /etc/passwd')).toBe(true);
      expect(covers('make', 'make')).toBe(true);
      const exact = { command: ['jest', '--config=/tmp/x.js'], exact: true };
      expect(isCommandAllowedBy(judgeCommand('jest --config=/tmp/x.js'), exact)).toBe(true);
    });

    test('where the command runs counts for paths in options', () => {
      expect(covers('git commit', 'cd sub && git commit -F ../m')).toBe(true);
      expect(covers('git commit', 'cd sub && git commit -F ../../m')).toBe(false);
      expect(covers('git add', 'cd sub; git add --chmod=+x ../m')).toBe(false);
      expect(covers('jest', 'cd "$X" && jest a')).toBe(false);
    });
  },
);

const TABLE = [GIT, JAVASCRIPT, PYTHON, RUST_AND_GO, RECIPES, JVM_AND_DOTNET, DOCKER].flat();
const listed = ({ flags = '', attached = '', texts = '', paths = '' }: RuleOptions): readonly string[] =>
  [flags, attached, texts, paths].flatMap((names) => names.split(' ').filter((name) => name !== ''));

/** Words that the patterns of a row match. */
const EXAMPLES =
  'git add commit switch checkout restore stash tag branch rm mv npm run test pnpm npx jest vitest mocha tsc biome eslint prettier pytest unittest ruff black python -m cargo bench clippy fmt build tree go make just task rake gradle mvn dotnet docker compose ps logs images'.split(
    ' ',
  );
const rowsOfTable = TABLE.map(([patterns, options]) => ({
  rule: patterns.map((pattern) => EXAMPLES.find((word) => pattern.test(word))!).join(' '),
  options,
}));

const OUTSIDE = fc.constantFrom('/etc/passwd', '../x', 'a/../../x', '/', '/tmp/x.js', 'a=/x', 'a:/x', 'a,../x');

/** What is harmless without a rule has a table of its own. */
const asks = (rule: string, line: string): boolean => judgeCommand(line).verdict === 'automatic' || !covers(rule, line);

test('no way to write an option that is not in the table, or a path that is outside, is covered by any rule that is proposed', () => {
  const name = fc.oneof(
    fc.constantFrom(
      ...'file config require basetemp rootdir exec eval output import preload toolexec plugin c e r o p C f I D F t'.split(' '),
    ),
    fc
      .constantFrom(...rowsOfTable.flatMap(({ options }) => listed(options)))
      .chain((whole) => fc.nat(whole.length).map((cut) => whole.slice(0, cut))),
  );
  const row = fc.constantFrom(...rowsOfTable);
  fc.assert(
    fc.property(
      row,
      name,
      OUTSIDE,
      fc.constantFrom('=', ' ', ''),
      fc.constantFrom('', ' a '),
      ({ rule, options }, option, path, sign, before) => {
        const known = listed(options).includes(option) || listed(options.rest ?? { style: 'apart' }).includes(option);
        const texts = `${options.texts ?? ''} ${options.rest?.texts ?? ''}`.split(' ');
        fc.pre(option !== '' && (sign !== '' || option.length === 1) && !texts.includes(option) && !texts.includes(option[0]!));
        const dashes = option.length === 1 || options.style === 'words' ? '-' : '--';
        expect(asks(rule, `${rule}${before}${dashes}${option}${sign}${path}`)).toBe(true);
        if (!known && dashes === '--') expect(asks(rule, `${rule} --${option}`)).toBe(true);
      },
    ),
    { numRuns: 3000 },
  );
});

test('every rule that is proposed covers the plain command it was made for', () => {
  for (const { rule } of rowsOfTable) {
    expect(rule).not.toContain('undefined');
    for (const { words } of suggestPrefixes(rule)) expect([rule, covers(words.join(' '), rule)]).toEqual([rule, true]);
  }
});
