import type { CompletedCommand } from './command-tree.js';
import { quote, walkArms } from './posix-walk.js';

/** A row of `_describe`: the first colon parts the word from what it does. */
const row = (word: string, description: string): string => quote(`${word.replaceAll(':', '\\:')}:${description}`);

const offers = ({ path, words, options }: CompletedCommand): string => {
  const items = words.map(({ word, description }) => row(word, description));
  const flags = options.flatMap(({ names, description }) => names.map((name) => row(name, description)));
  return `    ${quote(path)})\n      items=(${items.join(' ')})\n      flags=(${flags.join(' ')})\n      ;;`;
};

/** The completion of `codelab` for zsh: to be read by `eval` after `compinit`, or as the file `_codelab` of a folder in `fpath`. */
export const zshCompletion = (commands: readonly CompletedCommand[]): string => `#compdef codelab
# zsh completion for codelab
_codelab() {
  local at='' expects='' word
  local -a items flags
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if [[ -n $expects ]]; then expects=''; continue; fi
    case "$at|$word" in
${walkArms(commands, '      ')}
    esac
  done
  case "$expects" in
    '') ;;
    text) return 1 ;;
    file) _files; return ;;
    directory) _files -/; return ;;
    *) compadd -- \${(s: :)expects}; return ;;
  esac
  case "$at" in
${commands.map(offers).join('\n')}
  esac
  if [[ $PREFIX == -* ]]; then items=("\${flags[@]}"); fi
  _describe codelab items
}
if [[ \${zsh_eval_context[-1]} == loadautofunc ]]; then _codelab "$@"; else compdef _codelab codelab; fi
`;
