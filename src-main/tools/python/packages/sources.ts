import type { Settings } from '../../../../src-shared/index.ts';

/** Where packages may come from. */
export interface Sources {
  readonly hosts: readonly string[];
  /** Null for the one that pip takes by itself. */
  readonly index: string | null;
}

/** An index that the person named is allowed by that. Without hosts nothing can be installed. */
export function sourcesOf({ python: { packageHosts, packageIndex } }: Settings): Sources {
  const own = packageIndex === null ? [] : [new URL(packageIndex).host];
  return { hosts: [...new Set([...own, ...packageHosts])], index: packageIndex };
}
