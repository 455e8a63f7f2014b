import { FAMILY_VARIABLE } from '../../platform/index.ts';

/** What bash needs to know for its marks. */
export interface ShellScriptOptions {
  /** Stands in every mark; a command's output cannot guess it. */
  nonce: string;
  /** Value of CAUSEWAY_FAMILY: a state that is taken over must not bring another shell's. */
  familyMark: string;
  /** A file with variables, functions and aliases of another shell, to be taken over. */
  stateFile?: string | undefined;
  /** Takes the way of bash before 4.4 (macOS has 3.2), whichever this one is. */
  likeOldBash?: boolean;
}

/** How a function turns off, for itself alone, the options that would disturb it. */
interface OwnOptions {
  /** First in the function. */
  off: string;
  /** Last in it. */
  back: string;
}

const OWN_OPTIONS: OwnOptions = { off: 'builtin local -; builtin set +xeu', back: ':' };
/** `local -` came with bash 4.4. */
const OWN_OPTIONS_OF_OLD_BASH: OwnOptions = {
  off: 'builtin local __causeway_o="$-"; builtin set +xeu',
  back: 'for __causeway_l in x e u; do case $__causeway_o in *$__causeway_l*) builtin set -$__causeway_l ;; esac; done',
};

/**
 * What bash reads at its start instead of the person's own files: quiet, no history, and functions that report through marks.
 *
 * Marks are OSC 633 sequences, as terminals use them for shell integration
 * (https://code.visualstudio.com/docs/terminal/shell-integration), with the nonce first: `ESC ] 633 ; NONCE ; KIND ... BEL`.
 * They go to /dev/tty, so that no redirection of the shell's own output swallows them, and through the same terminal as the
 * output, so that they cannot overtake it.
 * - `C;N` bash has read the line that starts command N
 * - `B;N` bash has read the command itself; only when its first line is traced, or when that was asked for
 * - `D;N;SECRET;STATUS;DIRECTORY` command N ended
 * - `P;N;STATUS;DIRECTORY` the prompt came back without D: Ctrl-C, or an error that makes bash drop the line
 * - `S;N;SECRET` bash has read sync line N
 * - `X;STATUS;DIRECTORY` the shell ends
 * - `E` bash's own word "exit" follows
 *
 * A command can read the nonce out of these functions, so the nonce proves nothing by itself. An end counts only with a secret that
 * is new for each command and stands nowhere but on the typed line behind it: bash shows that line to nobody while the command
 * runs (no history, no `set -v`), and the functions can be neither replaced nor aliased. P is only a hint, followed by a sync line
 * with a secret of its own. What is left: a DEBUG trap sees the secret once the command is over, and a program that takes the
 * shell's place and reads its terminal is the shell from then on.
 *
 * Echo stays on, as in any terminal, so that a program which turns it off to ask for a password can be told from others.
 *
 * Each function turns off, for itself alone, the options that would disturb it (-x, -e, -u), and is called with its output
 * going nowhere, so that neither a trace nor a DEBUG trap shows in results.
 */
export function shellScript({ nonce, familyMark, stateFile, likeOldBash }: ShellScriptOptions): string {
  const takeOver = stateFile === undefined ? '' : `. ${quote(stateFile)} 2>/dev/null`;
  const isNew = likeOldBash ? 'false' : '(( BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 404 ))';
  return `${takeOver}
export ${FAMILY_VARIABLE}=${familyMark}
unset HISTFILE MAILCHECK TMOUT
set +o history
PS1= PS2= PS0=
__causeway_status=0 __causeway_number=0 __causeway_done=-1
__causeway_mark() { builtin printf '\\e]633;${nonce};%s\\a' "$1" >/dev/tty; }
__causeway_where() {
  builtin local p="$PWD"
  case $OSTYPE in msys* | cygwin*) p=$(builtin pwd -W) ;; esac
  case $p in *[%$'\\a\\e\\n']*)
    p=\${p//%/%25}; p=\${p//$'\\a'/%07}; p=\${p//$'\\e'/%1B}; p=\${p//$'\\n'/%0A} ;;
  esac
  __causeway_mark "$1;$p"
}
__causeway_hook() {
  case " \${PROMPT_COMMAND[*]}" in
    *__causeway_prompt*) ;;
    *) builtin unset PROMPT_COMMAND; PROMPT_COMMAND='{ case $__causeway_done in "$__causeway_number") ;; *) __causeway_prompt ;; esac; } >/dev/null 2>&1' ;;
  esac
}
__causeway_quiet() {
  builtin set +v
  if [[ -o history ]]; then builtin set +o history; builtin history -c; fi
}
# Lines that were typed and that no program read must not run as commands.
__causeway_drop() {
  builtin local REPLY
  while [[ -t 0 ]] && builtin read -t 0; do builtin read -r -t 0.01 || builtin break; done
}
__causeway_start() {
  __causeway_quiet
  __causeway_number=$1
  __causeway_mark "C;$1"
}
# Gives the command the last one's $?; under -e that would end the shell. The mark costs a wake-up: only where it is needed.
__causeway_enter() {
  case $-$2 in *x* | *+) __causeway_mark "B;$1" ;; esac
  case $- in *e*) builtin return 0 ;; esac
  builtin return $__causeway_status
}
if ${isNew}; then
${endFunctions(OWN_OPTIONS)}
else
${endFunctions(OWN_OPTIONS_OF_OLD_BASH)}
fi
__causeway_sync() {
  __causeway_hook
  __causeway_number=$1 __causeway_done=$1
  __causeway_mark "S;$1;$2"
}
readonly -f __causeway_{mark,where,hook,quiet,drop,start,enter,end,prompt,sync}
exit() {
  [[ $BASH_SUBSHELL == 0 ]] && __causeway_mark E
  builtin exit "$@"
}
trap '__causeway_where "X;$?" 2>/dev/null' EXIT
__causeway_hook
stty -echoctl -onlcr 2>/dev/null
`;
}

function endFunctions({ off, back }: OwnOptions): string {
  return `__causeway_end() {
  __causeway_status=$?
  __causeway_quiet
  ${off}
  __causeway_drop
  __causeway_hook
  PS1= PS0=
  __causeway_where "D;$1;$2;$__causeway_status"
  # After the mark: a Ctrl-C in between must not leave the end unreported.
  __causeway_done=$1
  ${back}
}
__causeway_prompt() {
  builtin local s="$?"
  __causeway_quiet
  ${off}
  __causeway_status=$s
  PS1= PS0=
  __causeway_where "P;$__causeway_number;$s"
  __causeway_done=$__causeway_number
  ${back}
}`;
}

/** The line that is typed to run command N from its file. Nobody sees `secret` before the command is over. */
export function triggerLine(number: number, file: string, secret: string): string {
  return `${startOf(number)}; \\. ${quote(file)}; { \\__causeway_end ${number} ${secret}; } >/dev/null 2>&1\n`;
}

/** Clears what was typed and not read (Ctrl-U). In raw mode it is an ordinary character, of a word of no consequence. */
const CLEAR_LINE = '\x15: ; ';

/** A line that bash answers as soon as it reads it: shows that it listens again. */
export function syncLine(number: number, secret: string): string {
  return `${CLEAR_LINE}{ \\__causeway_sync ${number} ${secret}; } >/dev/null 2>&1\n`;
}

function startOf(number: number): string {
  return `{ \\__causeway_start ${number}; } >/dev/null 2>&1`;
}

/**
 * The file that holds command N. Its first line is the command's own, so that line numbers in messages are right. `announced`
 * has bash report when it has read the command.
 */
export function commandFile(number: number, command: string, announced = false): string {
  return `{ \\__causeway_enter ${number} ${announced ? '+' : '-'}; } >/dev/null 2>&1; ${command}\n`;
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

/** One word for bash, whatever it holds. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
