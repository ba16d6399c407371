/** A rule as it travels: its fields are looked at here, not trusted. */
export type LooseRule = Readonly<Record<string, unknown>>;

/**
 * What a rule is about, out of the rule itself: `run_command · the command “npm test” and no more · while package.json is unchanged`. A
 * sentence that came with it may say something else; a field that isn't known is shown as it is.
 */
export function describeRule(rule: LooseRule): string {
  const { effect, tool, path, command, exact, files, proxy, expires_at_ms: expires, ...others } = rule;
  const bound = Array.isArray(files) ? files.map((file: { readonly path?: unknown }) => String(file.path)) : [];
  const facts = [
    tool === '*' ? 'every tool' : textOf(tool),
    path === undefined ? '' : `paths ${textOf(path)}`,
    command === undefined
      ? ''
      : exact === true
        ? `the command “${wordsOf(command)}” and no more`
        : `commands that begin with “${wordsOf(command)}”`,
    bound.length === 0 ? '' : `while ${bound.join(', ')} ${bound.length === 1 ? 'is' : 'are'} unchanged`,
    proxy === true ? 'also for programs that come through the proxy' : '',
    typeof expires === 'number' ? `until ${new Date(expires).toISOString().slice(0, 16).replace('T', ' ')} UTC` : '',
    ...Object.entries(others).map(([name, value]) => `${name} ${JSON.stringify(value)}`),
  ];
  return facts.filter((fact) => fact !== '').join(' · ');
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value));
const wordsOf = (command: unknown): string =>
  Array.isArray(command) ? command.map((word) => quote(String(word))).join(' ') : textOf(command);

/** Words that a shell would take apart are quoted, so that two rules never read alike. */
const quote = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
