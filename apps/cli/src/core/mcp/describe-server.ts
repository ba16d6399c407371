import type { McpServerConfig } from '@codelab/mcp';
import { sanitiseLine } from '@codelab/tools/human';

/** Longer ones are cut where they are listed, never where they are approved. */
const MAX_CHARACTERS = 4_000;

/** A word as a shell would take it, so that nobody sees two words where there is one. */
const quote = (word: string): string => (/^[\w@%+=:,./$!{}*-]+$/.test(word) ? word : `'${shown(word).replaceAll("'", `'\\''`)}'`);

/** Blanks that a line would swallow, as they are written in a text. */
const shown = (text: string): string => text.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t');

/** What a server is: the line that starts it, or its address. Control characters are escaped. */
export function describeServer({ transport }: McpServerConfig, maxCharacters = MAX_CHARACTERS): string {
  if (transport.kind !== 'stdio') return sanitiseLine(transport.url, maxCharacters);
  return sanitiseLine([transport.command, ...transport.args].map(quote).join(' '), maxCharacters);
}

/** What else it gets, for people who approve it: names and values of its environment, the folder, the headers. */
export function describeExtras({ transport }: McpServerConfig): readonly string[] {
  const pair = ([name, value]: readonly [string, string]): string => `${name}=${value}`;
  const rows =
    transport.kind === 'stdio'
      ? [
          ...Object.entries(transport.env).map((entry) => `with ${pair(entry)}`),
          ...(transport.cwd === undefined ? [] : [`in ${transport.cwd}`]),
        ]
      : [
          ...Object.entries(transport.headers).map(([name, value]) => `sends ${name}: ${value}`),
          ...Object.entries(transport.oauth ?? {}).flatMap(([name, value]) =>
            value === undefined ? [] : [`logs in with ${name}: ${value}`],
          ),
        ];
  return rows.map((row) => sanitiseLine(shown(row), Infinity));
}
