import { textField, type Command, type HasFile, type Manifest } from './manifest.js';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

const LOCKS = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
] as const;

const SCRIPTS = [
  ['build', ['build', 'compile']],
  ['start', ['start', 'dev', 'serve']],
  ['test', ['test', 'tests']],
  ['check', ['check', 'lint', 'typecheck']],
] as const;

/** `package.json`. */
export function readNodeManifest(path: string, text: string, has: HasFile): Manifest | undefined {
  const fields = parse(text);
  if (fields === undefined) return undefined;
  const { name, version, description, scripts, workspaces } = fields;
  const manager = textField(fields.packageManager)?.split('@')[0] ?? LOCKS.find(([lock]) => has(lock))?.[1] ?? 'npm';
  const known = isFields(scripts) ? scripts : {};
  const commands: Command[] = [{ what: 'install', command: `${manager} install` }];
  for (const [what, names] of SCRIPTS) {
    const found = names.find((script) => textField(known[script]) !== undefined);
    if (found !== undefined)
      commands.push({ what, command: found === 'test' || found === 'start' ? `${manager} ${found}` : `${manager} run ${found}` });
  }
  const globs = Array.isArray(workspaces)
    ? workspaces
    : isFields(workspaces) && Array.isArray(workspaces.packages)
      ? workspaces.packages
      : [];
  return {
    ...{ path, kind: 'Node.js', name: textField(name), version: textField(version), description: textField(description), commands },
    entries: entriesOf(fields),
    workspaces: globs.map(String),
  };
}

function entriesOf({ name, bin, exports, main, module }: Fields): string[] {
  const bins = isFields(bin) ? Object.entries(bin) : typeof bin === 'string' ? [[textField(name) ?? 'the command', bin] as const] : [];
  const programs = bins.map(([command, file]) => `${String(file).replace(/^\.\//, '')} (command ${command})`);
  const root = isFields(exports) ? (exports['.'] ?? exports) : exports;
  const paths = [fileIn(root), textField(main), textField(module)].flatMap((file) =>
    file === undefined ? [] : [file.replace(/^\.\//, '')],
  );
  return [...new Set([...paths, ...programs])];
}

/** The file of an export with conditions: `{types, import: {default}}`. */
function fileIn(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') return value;
  if (!isFields(value) || depth > 4) return undefined;
  return ['import', 'default', 'node', 'require']
    .map((condition) => fileIn(value[condition], depth + 1))
    .find((file) => file !== undefined);
}

function parse(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
