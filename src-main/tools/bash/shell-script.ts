import { FAMILY_VARIABLE } from '../../platform/index.ts';

/** What bash needs to know for its marks. */
export interface ShellScriptOptions {
  /** Stands in every mark; a command's output cannot guess it. */
  nonce: string;
  /** Value of CAUSEWAY_FAMILY: a state that is taken over must not bring another shell's. */
  familyMark: string;
  /** A file with variables, functions and aliases of another shell, to be taken over. */
  stateFile?: string | undefined;
}

/**
 * What bash reads at its start instead of the person's own files: quiet, no history, and functions that report through marks.
 *
 * Marks are OSC 633 sequences, as terminals use them for shell integration
 * (https://code.visualstudio.com/docs/terminal/shell-integration), with the nonce first: `ESC ] 633 ; NONCE ; KIND ... BEL`.
 * They go to /dev/tty, so that no redirection of the shell's own output swallows them, and through the same terminal as the
 * output, so that they cannot overtake it.
 * - `C;N` command N starts (twice: from the trigger line, and from the first line of its file)
 * - `D;N;STATUS;DIRECTORY` command N ended
 * - `P;N;STATUS;DIRECTORY` the prompt came back without D: Ctrl-C, or an error that makes bash drop the line
 * - `X;STATUS;DIRECTORY` the shell ends
 * - `E` bash's own word "exit" follows
 *
 * Each function turns off, for itself alone, the options that would disturb it (-x, -e, -u), and is called with its output
 * going nowhere, so that neither a trace nor a DEBUG trap shows in results.
 */
export function shellScript({ nonce, familyMark, stateFile }: ShellScriptOptions): string {
  const takeOver = stateFile === undefined ? '' : `. ${quote(stateFile)} 2>/dev/null`;
  return `${takeOver}
export ${FAMILY_VARIABLE}=${familyMark}
unset HISTFILE MAILCHECK TMOUT
set +o history
PS1= PS2= PS0=
__causeway_status=0 __causeway_number=0 __causeway_done=-1
__causeway_bell=$'\\a' __causeway_escape=$'\\e' __causeway_break=$'\\n'
__causeway_mark() { builtin printf '\\e]633;${nonce};%s\\a' "$1" >/dev/tty; }
__causeway_where() {
  builtin local p="\${PWD//%/%25}"
  p=\${p//"$__causeway_bell"/%07}; p=\${p//"$__causeway_escape"/%1B}; p=\${p//"$__causeway_break"/%0A}
  __causeway_mark "$1;$p"
}
__causeway_hook() {
  case " \${PROMPT_COMMAND[*]}" in
    *__causeway_prompt*) ;;
    *) builtin unset PROMPT_COMMAND; PROMPT_COMMAND='{ __causeway_prompt; } >/dev/null 2>&1' ;;
  esac
}
__causeway_start() {
  builtin local e="$-"; builtin local -; builtin set +xeu
  __causeway_number=$1
  __causeway_hook
  __causeway_mark "C;$1"
  # Gives the next command the last one's $?; under -e that would end the shell.
  case $e in *e*) builtin return 0 ;; esac
  builtin return $__causeway_status
}
__causeway_end() {
  __causeway_status=$?
  builtin local -; builtin set +xeu
  __causeway_hook
  __causeway_where "D;$1;$__causeway_status"
  # After the mark: a Ctrl-C in between must not leave the end unreported.
  __causeway_done=$1
}
__causeway_prompt() {
  builtin local s="$?"
  builtin local -; builtin set +xeu
  if [[ $__causeway_done != "$__causeway_number" ]]; then
    __causeway_status=$s
    __causeway_where "P;$__causeway_number;$s"
    __causeway_done=$__causeway_number
  fi
  PS1= PS0=
}
exit() {
  [[ $BASH_SUBSHELL == 0 ]] && __causeway_mark E
  builtin exit "$@"
}
trap '__causeway_where "X;$?" 2>/dev/null' EXIT
__causeway_hook
stty -echo -onlcr 2>/dev/null
`;
}

/** The line that is typed to run command N from its file. */
export function triggerLine(number: number, file: string): string {
  return `${startOf(number)}; \\. ${quote(file)}; { __causeway_end ${number}; } >/dev/null 2>&1\n`;
}

/** Clears what was typed and not read (Ctrl-U). In raw mode it is an ordinary character, of a word of no consequence. */
const CLEAR_LINE = '\x15: ; ';

/** A line after which the prompt reports itself: shows that bash listens again. */
export function syncLine(number: number): string {
  return `${CLEAR_LINE}${startOf(number)}\n`;
}

function startOf(number: number): string {
  return `{ __causeway_start ${number}; } >/dev/null 2>&1`;
}

/** The file that holds command N. Its first line is the command's own, so that line numbers in messages are right. */
export function commandFile(number: number, command: string): string {
  return `${startOf(number)}; ${command}\n`;
}

/**
 * A command that writes what a shell has become (variables, functions, aliases, options) to a file, for `stateFile`. It leaves
 * `$?` as it was.
 */
export function saveStateCommand(file: string): string {
  return [
    '__causeway_saved=$?',
    `{ builtin declare -p; builtin declare -f; builtin alias -p; builtin shopt -p; } >|${quote(file)} 2>/dev/null`,
    'builtin return $__causeway_saved',
  ].join('; ');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
