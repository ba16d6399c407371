/** What a package manifest tells about a project; each command as one would type it. */
export interface Manifest {
  readonly path: string;
  /** `Node.js`, `Rust`, … */
  readonly kind: string;
  readonly name?: string | undefined;
  readonly version?: string | undefined;
  readonly description?: string | undefined;
  readonly commands: readonly Command[];
  /** Files at which it begins, and programs that it installs. */
  readonly entries: readonly string[];
  /** Globs of the packages in it. */
  readonly workspaces?: readonly string[] | undefined;
}

export interface Command {
  readonly what: 'install' | 'build' | 'start' | 'test' | 'check';
  readonly command: string;
}

/** Whether a file exists. */
export type HasFile = (path: string) => boolean;

export const textField = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** A one-line string of a TOML section: `name = "x"`; `section` is `package` for `[package]`. */
export function tomlField(text: string, section: string, field: string): string | undefined {
  for (const [key, value] of tomlFields(text, section)) if (key === field) return value;
  return undefined;
}

/** The strings of a TOML section in order. */
export function tomlFields(text: string, section: string): [key: string, value: string][] {
  const fields: [string, string][] = [];
  let inside = false;
  for (const line of text.split('\n', 5_000)) {
    if (line.startsWith('[')) inside = line.trim() === `[${section}]`;
    const match = inside ? /^([\w"-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(line.slice(0, 1_000)) : null;
    if (match) fields.push([(match[1] ?? '').replaceAll('"', ''), match[2] ?? match[3] ?? '']);
  }
  return fields;
}
