import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Mutant } from './mutant.js';

const APPS = { gateway: ['gateway'], runtime: ['agent-runtime'], proxy: ['llm-proxy'] } as const;
const SERVICES = ['gateway', 'agent-runtime', 'llm-proxy'];

/** The files of an installation that a mutant changes, from its root. */
export function filesOf({ place, file = '' }: Mutant): readonly string[] {
  if (place === 'client') return [`packages/${file}`];
  if (place === 'store') return SERVICES.map((app) => `apps/${app}/dist/lua/${file}`);
  return APPS[place].map((app) => `apps/${app}/dist/service.cjs`);
}

/** The text with the fault in it. Throws where what is to be replaced doesn't stand in it exactly once. */
export function plantFault(text: string, { name, find, replace }: Mutant, file: string): string {
  const [before, after, ...more] = text.split(find);
  if (before === undefined || after === undefined || more.length > 0) {
    const times = text.split(find).length - 1;
    throw new Error(
      `The mutant ${name} replaces a text that stands ${String(times)} times in ${file}: build first, or write its \`find\` anew.`,
    );
  }
  return before + replace + after;
}

/** Links to everything in `from`, but for what leads to `changed`, which is made: the copy costs nothing but the files that differ. */
async function overlay(from: string, to: string, changed: ReadonlyMap<string, string>): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const name of await readdir(from)) {
    const inside = new Map(
      [...changed].flatMap(([path, text]) => (path.startsWith(`${name}/`) ? [[path.slice(name.length + 1), text]] : [])),
    );
    const text = changed.get(name);
    if (text !== undefined) await writeFile(join(to, name), text);
    else if (inside.size > 0) await overlay(join(from, name), join(to, name), inside);
    else await symlink(join(from, name), join(to, name));
  }
}

/** What a run needs to use a mutant in the place of the product. */
export interface PlantedInstallation {
  /** The root of the copy; the product's own for a fault of the client. */
  readonly root: string;
  /** For Node, before the client's program. */
  readonly clientExecArgv: readonly string[];
}

/** Plants a fault into a copy of the installation at `root`, made in `folder`. A module of the client is changed as it is loaded. */
export async function plantMutant(mutant: Mutant, root: string, folder: string): Promise<PlantedInstallation> {
  const changed = new Map<string, string>();
  for (const path of filesOf(mutant)) {
    changed.set(path, plantFault(await readFile(join(root, path), 'utf8'), mutant, path));
  }
  if (mutant.place === 'client') return { root, clientExecArgv: await loadInstead(changed, root, folder) };
  // Node takes a program that is a link for the file that it leads to, and this one reads what is beside it.
  for (const app of SERVICES) changed.set(`apps/${app}/dist/main.js`, await readFile(join(root, 'apps', app, 'dist/main.js'), 'utf8'));
  await mkdir(dirname(folder), { recursive: true });
  await overlay(join(root, 'apps'), join(folder, 'apps'), stripped(changed));
  await symlink(join(root, 'packages'), join(folder, 'packages'));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  return { root: folder, clientExecArgv: [] };
}

const stripped = (changed: ReadonlyMap<string, string>): Map<string, string> =>
  new Map([...changed].map(([path, text]) => [path.slice('apps/'.length), text]));

/** Arguments by which Node loads the changed text of a module wherever it is imported from. */
async function loadInstead(changed: ReadonlyMap<string, string>, root: string, folder: string): Promise<readonly string[]> {
  await mkdir(folder, { recursive: true });
  const texts = Object.fromEntries([...changed].map(([path, text]) => [new URL(`file://${join(root, path)}`).href, text]));
  const hooks = join(folder, 'hooks.mjs');
  await writeFile(
    hooks,
    `const texts = ${JSON.stringify(texts)};\nexport const load = (url, context, next) => url in texts ? { format: 'module', source: texts[url], shortCircuit: true } : next(url, context);\n`,
  );
  const register = join(folder, 'register.mjs');
  await writeFile(register, `import { register } from 'node:module';\nregister(${JSON.stringify(new URL(`file://${hooks}`).href)});\n`);
  return ['--import', new URL(`file://${register}`).href];
}
