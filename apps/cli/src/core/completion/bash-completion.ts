import type { CompletedCommand } from './command-tree.js';
import { quote, walkArms } from './posix-walk.js';

const offers = ({ path, words, options }: CompletedCommand): string => {
  const names = words.map(({ word }) => word).join(' ');
  const flags = options.flatMap((option) => option.names).join(' ');
  return `    ${quote(path)}) words=${quote(names)} flags=${quote(flags)} ;;`;
};

/** The completion of `codelab` for bash, 3.2 (macOS) or newer: a script to be read by `eval` or from a file. */
export const bashCompletion = (commands: readonly CompletedCommand[]): string => `# bash completion for codelab
_codelab() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" at='' expects='' words='' flags='' word i IFS=$'\\n'
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    if [[ $word == '=' ]]; then continue; fi
    if [[ -n $expects ]]; then expects=''; continue; fi
    case "$at|$word" in
${walkArms(commands, '      ')}
    esac
  done
  if [[ $cur == '=' ]]; then cur=''; fi
  case "$expects" in
    '') ;;
    text) return ;;
    file) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); return ;;
    directory) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")); return ;;
    *) IFS=$' \\n'; COMPREPLY=($(compgen -W "$expects" -- "$cur")); return ;;
  esac
  case "$at" in
${commands.map(offers).join('\n')}
  esac
  IFS=$' \\n'
  if [[ $cur == -* ]]; then words="$flags"; fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _codelab codelab
`;
