import type { Caller, EditDetail, EntryType } from '../../src-shared/index.ts';
import type { I18n } from '../i18n/i18n.svelte.ts';

/** The name of a tool as people say it; tools of servers keep theirs. */
export function toolName(tool: string, t: I18n['t']): string {
  switch (tool) {
    case 'bash':
      return t('history.tool.bash');
    case 'python_execute':
      return t('history.tool.python');
    case 'str_replace_editor':
      return t('history.tool.editor');
    default:
      return tool;
  }
}

/** Who asked for an edit, in a word; apps by their own name. */
export function callerName(caller: Pick<Caller, 'kind'> & { readonly name?: string }, t: I18n['t']): string {
  return caller.kind === 'app' ? (caller.name ?? t('caller.app')) : t(`caller.${caller.kind}`);
}

/** A path as the history shows it: a folder has a slash at its end. */
export function shownPath(path: string, entry: EntryType): string {
  return entry === 'folder' && !path.endsWith('/') ? `${path}/` : path;
}

/** Permission bits as `chmod` takes them: `755`. */
export function octal(mode: number): string {
  return (mode & 0o7777).toString(8).padStart(3, '0');
}

/** What to say of an edit that has no lines to show. */
export function noLines({ binary, entry, mode, cut }: EditDetail): 'binary' | 'folder' | 'sameText' | undefined {
  if (entry === 'folder') return 'folder';
  if (binary) return 'binary';
  return mode || cut ? undefined : 'sameText';
}
