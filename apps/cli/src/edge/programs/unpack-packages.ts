import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { versionOf } from './plan-programs.js';
import { runApt, type FetchProgram } from './run-apt.js';
import { WRAPPER_DIRECTORY } from './program-path.js';

const run = promisify(execFile);
const WORK = '.fetching-';
/** What a killed run left behind is cleared away after this time. */
const ABANDONED_MS = 3_600_000;

/**
 * Lets `use` fetch programs for this user alone: apt-get resolves and verifies as ever, but with lists and archives of our own and without
 * installing; what this machine lacks is unpacked into `<directory>/<program>`. A program is there whole and tried, or not at all.
 */
export async function unpackPackages(directory: string, use: (fetch: FetchProgram) => Promise<void>): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await clearAbandoned(directory);
  const work = await mkdtemp(join(directory, WORK));
  try {
    const archives = join(work, 'cache', 'archives');
    for (const folder of [join(work, 'lists', 'partial'), join(archives, 'partial')]) await mkdir(folder, { recursive: true });
    const conf = join(work, 'apt.conf');
    await writeFile(conf, aptConf(work));
    const stale = await runApt(['-c', conf, 'update']).catch((error: Error) => error); // other sources may have it
    await use(async (program, packageName) => {
      await rm(archives, { recursive: true, force: true });
      await mkdir(join(archives, 'partial'), { recursive: true });
      await runApt(['-c', conf, 'install', '-y', '--no-install-recommends', '--download-only', packageName]).catch((error: Error) => {
        throw stale ?? error;
      });
      const root = join(work, program);
      for (const name of await readdir(archives))
        if (name.endsWith('.deb')) await run('dpkg', ['-x', join(archives, name), root], { timeout: 60_000 });
      await writeWrapper(root, program);
      if ((await versionOf(join(root, WRAPPER_DIRECTORY, program))) === undefined) throw new Error('what was unpacked does not start');
      await rm(join(directory, program), { recursive: true, force: true });
      await rename(root, join(directory, program));
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** The machine's sources and keys; state of our own; no hooks, which are written for root. */
function aptConf(work: string): string {
  const hooks = ['APT::Update::Pre-Invoke', 'APT::Update::Post-Invoke', 'APT::Update::Post-Invoke-Success', 'DPkg::Pre-Install-Pkgs'];
  return [
    ...hooks.map((name) => `#clear ${name};`),
    `Dir::State::lists "${work}/lists";`,
    `Dir::Cache "${work}/cache";`,
    'Debug::NoLocking "true";', // the lock is root's, and nothing is installed
    '',
  ].join('\n');
}

/** Starts the program with the libraries that came with it. Finds everything from its own path, so that the folder can be moved. */
async function writeWrapper(root: string, program: string): Promise<void> {
  const files = await readdir(root, { recursive: true, withFileTypes: true });
  const at = (entry: (typeof files)[number]) => relative(root, entry.parentPath);
  const libraries = new Set(files.filter(({ name }) => /\.so(\.|$)/.test(name)).map(at));
  const folder = files.find((entry) => entry.name === program && /^(usr\/)?s?bin$/.test(at(entry)));
  if (!folder) throw new Error(`its packages hold no ${program}`);
  const path = [...libraries].map((library) => `$root/${library}`).join(':');
  const lines = [
    '#!/bin/sh',
    `# Starts the ${program} that was unpacked beside this file.`,
    `root=\${0%/${WRAPPER_DIRECTORY}/*}`,
    ...(libraries.size > 0 ? [`export LD_LIBRARY_PATH="${path}\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"`] : []),
    ...(program === 'git' ? ['export GIT_EXEC_PATH="$root/usr/lib/git-core" GIT_TEMPLATE_DIR="$root/usr/share/git-core/templates"'] : []),
    `exec "$root/${at(folder)}/${program}" "$@"`,
    '',
  ];
  await mkdir(join(root, WRAPPER_DIRECTORY));
  await writeFile(join(root, WRAPPER_DIRECTORY, program), lines.join('\n'), { mode: 0o755 });
}

async function clearAbandoned(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    const age = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now()); // another process may have cleared it
    if (name.startsWith(WORK) && age > ABANDONED_MS) await rm(path, { recursive: true, force: true });
  }
}
