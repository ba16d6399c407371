import { stepsOf, type CompletedCommand, type CompletedOption, type Value } from './command-tree.js';

const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const valueFlags = (value: Value | undefined): string => {
  if (value === undefined) return '';
  if (value.kind === 'words') return ` -x -a ${quote(value.words.join(' '))}`;
  return { file: ' -r -F', directory: " -x -a '(__fish_complete_directories)'", text: ' -x' }[value.kind];
};

const nameFlags = (name: string): string => (name.startsWith('--') ? ` -l ${name.slice(2)}` : ` -s ${name.slice(1)}`);

const optionLine = (path: string, { names, description, value }: CompletedOption): string =>
  `complete -c codelab -n ${quote(`__codelab_at '${path}'`)}${names.map(nameFlags).join('')}${valueFlags(value)} -d ${quote(description)}`;

const linesOf = ({ path, words, options }: CompletedCommand): readonly string[] => [
  ...words.map(
    ({ word, description }) =>
      `complete -c codelab -n ${quote(`__codelab_at '${path}'`)} -a ${quote(word)}${description === '' ? '' : ` -d ${quote(description)}`}`,
  ),
  ...options.map((option) => optionLine(path, option)),
];

/** The completion of `codelab` for fish: to be read by `source`, or as `codelab.fish` in fish's folder of completions. */
export function fishCompletion(commands: readonly CompletedCommand[]): string {
  const steps = stepsOf(commands).map(({ from, word, to }) => `      case ${quote(`${from}|${word}`)}\n        set at ${quote(to)}`);
  const taking = commands.flatMap(({ path, options }) =>
    options.flatMap(({ names, value }) => (value === undefined ? [] : names.map((name) => quote(`${path}|${name}`)))),
  );
  return `# fish completion for codelab
function __codelab_at -d 'Whether the command line stands at this command'
  set -l at ''
  set -l skips 0
  for word in (commandline -opc)[2..-1]
    if test $skips -eq 1
      set skips 0
      continue
    end
    switch "$at|$word"
${steps.join('\n')}
      case ${taking.join(' ')}
        set skips 1
    end
  end
  test "$at" = "$argv[1]"
end
complete -c codelab -f
${commands.flatMap(linesOf).join('\n')}
`;
}
