import { tomlField, tomlFields, type Command, type HasFile, type Manifest } from './manifest.js';
import { readNodeManifest } from './read-node-manifest.js';

type Reader = (path: string, text: string, has: HasFile) => Manifest | undefined;

const commands = (all: Readonly<Partial<Record<Command['what'], string | false>>>): Command[] =>
  Object.entries(all).flatMap(([what, command]) => (command === false ? [] : [{ what: what as Command['what'], command }]));

const python: Reader = (path, text, has) => {
  const section = ['project', 'tool.poetry'].find((name) => tomlField(text, name, 'name') !== undefined) ?? 'project';
  const scripts = [...tomlFields(text, 'project.scripts'), ...tomlFields(text, 'tool.poetry.scripts')];
  const runner = has('uv.lock') ? 'uv run ' : has('poetry.lock') ? 'poetry run ' : '';
  return {
    ...{ path, kind: 'Python', name: tomlField(text, section, 'name'), version: tomlField(text, section, 'version') },
    description: tomlField(text, section, 'description'),
    commands: commands({
      install: has('uv.lock') ? 'uv sync' : has('poetry.lock') ? 'poetry install' : 'pip install -e .',
      start: scripts.length > 0 && `${runner}${scripts[0]![0]}`,
      test: (text.includes('pytest') || has('tests')) && `${runner}pytest`,
    }),
    entries: scripts.map(([name, target]) => `${target} (command ${name})`),
  };
};

const rust: Reader = (path, text, has) => ({
  ...{ path, kind: 'Rust', name: tomlField(text, 'package', 'name'), version: tomlField(text, 'package', 'version') },
  description: tomlField(text, 'package', 'description'),
  commands: commands({ build: 'cargo build', start: has('src/main.rs') && 'cargo run', test: 'cargo test' }),
  entries: ['src/main.rs', 'src/lib.rs'].filter(has),
});

const go: Reader = (path, text, has) => ({
  ...{ path, kind: 'Go', name: /^module\s+(\S+)/m.exec(text.slice(0, 10_000))?.[1] },
  commands: commands({ build: 'go build ./...', start: has('main.go') && 'go run .', test: 'go test ./...' }),
  entries: ['main.go', 'cmd'].filter(has),
});

const php: Reader = (path, text, has) => {
  const node = readNodeManifest(path, text, has);
  return (
    node && {
      ...node,
      kind: 'PHP',
      entries: [],
      commands: commands({ install: 'composer install', test: has('phpunit.xml') && 'vendor/bin/phpunit' }),
    }
  );
};

const maven: Reader = (path, text) => {
  const end = text.indexOf('</parent>'); // what stands in it is another project's
  const own = text.slice(end === -1 ? 0 : end, (end === -1 ? 0 : end) + 20_000);
  const field = (name: string): string | undefined => new RegExp(`<${name}>([^<]{1,300})</${name}>`).exec(own)?.[1]?.trim();
  return {
    ...{
      path,
      kind: 'Java (Maven)',
      name: field('name') ?? field('artifactId'),
      version: field('version'),
      description: field('description'),
    },
    ...{ commands: commands({ build: 'mvn package', test: 'mvn test' }), entries: [] },
  };
};

const gradle: Reader = (path, _text, has) => {
  const program = has('gradlew') ? './gradlew' : 'gradle';
  return { path, kind: 'Gradle', commands: commands({ build: `${program} build`, test: `${program} test` }), entries: [] };
};

const ruby: Reader = (path, _text, has) => ({
  ...{ path, kind: 'Ruby', entries: [] },
  commands: commands({ install: 'bundle install', test: has('spec') ? 'bundle exec rspec' : has('Rakefile') && 'bundle exec rake test' }),
});

const make: Reader = (path, text) => {
  const targets = new Set(text.split('\n', 5_000).flatMap((line) => /^([\w-]+)\s*:(?!=)/.exec(line.slice(0, 200))?.[1] ?? []));
  const target = (...names: string[]): string | false => {
    const found = names.find((name) => targets.has(name));
    return found !== undefined && `make ${found}`;
  };
  return {
    ...{ path, kind: 'Make', entries: [] },
    commands: commands({ build: target('build', 'all'), start: target('run', 'start', 'dev'), test: target('test', 'check') }),
  };
};

const cmake: Reader = (path, text) => ({
  ...{ path, kind: 'CMake', name: /project\s*\(\s*"?([\w.+-]+)/i.exec(text.slice(0, 10_000))?.[1], entries: [] },
  commands: commands({ build: 'cmake -B build && cmake --build build', test: /enable_testing/i.test(text) && 'ctest --test-dir build' }),
});

/** By file name; those that tell most come first. */
const READERS: Readonly<Record<string, Reader>> = {
  'package.json': readNodeManifest,
  'pyproject.toml': python,
  'Cargo.toml': rust,
  'go.mod': go,
  'pom.xml': maven,
  'build.gradle': gradle,
  'build.gradle.kts': gradle,
  'composer.json': php,
  Gemfile: ruby,
  'CMakeLists.txt': cmake,
  Makefile: make,
};

export const MANIFESTS: readonly string[] = Object.keys(READERS);

/** What a manifest tells, or nothing if it can't be read. `has` speaks of files beside it. */
export function readManifest(path: string, text: string, has: HasFile): Manifest | undefined {
  return READERS[path]?.(path, text, has);
}
