/** An entry of `mcp.json`, as people write it. */
export type ConfigEntry =
  | { readonly command: string; readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> }
  | { readonly type: 'http' | 'sse'; readonly url: string; readonly headers?: Readonly<Record<string, string>> };

/** A file that was edited, or a sentence that says why it can't be. */
export type Edited = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string };

type Loose = Record<string, unknown>;

const isLoose = (value: unknown): value is Loose => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Puts a server into a file; `text` undefined: there is none yet. A name that is there stays as it is. */
export function addEntry(text: string | undefined, name: string, entry: ConfigEntry): Edited {
  return edit(text, (servers) => {
    if (name in servers) return `it has a server ${name}: remove that first`;
    servers[name] = entry;
    return undefined;
  });
}

/** Takes a server out of a file. */
export function removeEntry(text: string | undefined, name: string): Edited {
  return edit(text, (servers) => {
    if (!(name in servers)) return `it has no server ${name}`;
    delete servers[name];
    return undefined;
  });
}

function edit(text: string | undefined, change: (servers: Loose) => string | undefined): Edited {
  let file: unknown;
  try {
    file = text === undefined || text.trim() === '' ? {} : JSON.parse(text);
  } catch (error) {
    return { ok: false, why: `it is no plain JSON (${(error as Error).message}), so it is edited by hand` };
  }
  if (!isLoose(file)) return { ok: false, why: 'it is no object' };
  const key = 'mcpServers' in file || !('servers' in file) ? 'mcpServers' : 'servers';
  const servers = file[key] ?? {};
  if (!isLoose(servers)) return { ok: false, why: `its ${key} is no object` };
  const fault = change(servers);
  if (fault !== undefined) return { ok: false, why: fault };
  return { ok: true, text: `${JSON.stringify({ ...file, [key]: servers }, undefined, 2)}\n` };
}
