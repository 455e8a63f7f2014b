import { withHiddenShown, type ToolTrust } from '../../../src-shared/index.ts';

/** A tool's own name, as people may see it. */
export function toolLabel({ key }: Pick<ToolTrust, 'key'>): string {
  const [name = '', count] = key.split('\u001F');
  return withHiddenShown(count === undefined ? name : `${name} (${count})`);
}
