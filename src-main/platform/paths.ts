/** True when `file` is `folder` or below it. Both absolute and normal ("/a/b", no trailing slash). */
export function isInside(file: string, folder: string): boolean {
  return folder === '/' || file === folder || file.startsWith(`${folder}/`);
}
