/**
 * What a lasting bash runs: it takes commands from descriptor 3, a mark and a text each, ended by NUL, runs them in itself, and says on
 * descriptor 4 how each ended and where it is then. Both streams get the mark behind their output. Its own descriptors are moved out of the
 * way, so that a command may use 3 and 4, redirect the shell's output, or set any option of it.
 */
export const SHELL_LOOP = String.raw`
builtin shopt -s expand_aliases
exec {CODELAB_IN}<&3 {CODELAB_SAYS}>&4 {CODELAB_OUT}>&1 {CODELAB_ERR}>&2 3<&- 4>&-
CODELAB_STATUS=0
codelab_status() { return "$CODELAB_STATUS"; }
while { IFS= builtin read -r -d '' -u "$CODELAB_IN" CODELAB_MARK && IFS= builtin read -r -d '' -u "$CODELAB_IN" CODELAB_COMMAND; } 2>/dev/null; do
{ [[ $- == *e* ]] || codelab_status; } 2>/dev/null
builtin eval "$CODELAB_COMMAND"
{
CODELAB_STATUS=$?
builtin printf '%s %s ' "$CODELAB_MARK" "$CODELAB_STATUS" >&"$CODELAB_SAYS" || :
builtin pwd -P >&"$CODELAB_SAYS" || :
builtin printf '\0' >&"$CODELAB_SAYS" || :
builtin printf '%s' "$CODELAB_MARK" >&"$CODELAB_OUT" || :
builtin printf '%s' "$CODELAB_MARK" >&"$CODELAB_ERR" || :
} 2>/dev/null
done
`;
