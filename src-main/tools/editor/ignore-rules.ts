import path from 'node:path';
import ignore, { type Ignore } from 'ignore';
import type { FileOperator } from '../../operator/index.ts';

/** Which entries git leaves out, for a folder and what is in it. */
export interface IgnoreRules {
  ignores(entry: { path: string; isFolder: boolean }): boolean;
  /** These rules together with those of a folder further down. */
  with(folder: string): Promise<IgnoreRules>;
}

interface RuleFile {
  folder: string;
  rules: Ignore;
}

/** A .gitignore longer than this is not read, in bytes. */
const MAX_RULE_BYTES = 1024 * 1024;

/**
 * The rules that hold in `folder`: its own .gitignore and those above it, up to the root of its repository. A folder that is
 * itself ignored was asked for on purpose, so the rules above it do not count.
 */
export async function loadIgnoreRules(files: FileOperator, folder: string): Promise<IgnoreRules> {
  let rules = fromRuleFiles(files, []);
  for (const above of await foldersFromRoot(files, folder)) {
    if (rules.ignores({ path: above, isFolder: true })) rules = fromRuleFiles(files, []);
    rules = await rules.with(above);
  }
  return rules;
}

function fromRuleFiles(files: FileOperator, ruleFiles: readonly RuleFile[]): IgnoreRules {
  return {
    ignores(entry) {
      let ignored = false;
      for (const { folder, rules } of ruleFiles) {
        const relative = path.relative(folder, entry.path).split(path.sep).join('/');
        if (relative === '' || relative.startsWith('../')) continue;
        const verdict = rules.test(entry.isFolder ? `${relative}/` : relative);
        // The nearer file has the last word.
        if (verdict.ignored) ignored = true;
        else if (verdict.unignored) ignored = false;
      }
      return ignored;
    },
    async with(folder) {
      const file = path.join(folder, '.gitignore');
      const stat = await files.stat(file).catch(() => null);
      if (stat?.kind !== 'file' || stat.size > MAX_RULE_BYTES) return this;
      const text = Buffer.from(await files.read(file)).toString('utf8');
      return fromRuleFiles(files, [...ruleFiles, { folder, rules: ignore().add(text) }]);
    },
  };
}

/** The folders from the root of the repository down to `folder`; only `folder` where there is no repository. */
async function foldersFromRoot(files: FileOperator, folder: string): Promise<string[]> {
  const folders: string[] = [];
  for (let at = folder; ; at = path.dirname(at)) {
    folders.unshift(at);
    const isRoot = await files.stat(path.join(at, '.git')).catch(() => null);
    if (isRoot) return folders;
    if (path.dirname(at) === at) return [folder];
  }
}
