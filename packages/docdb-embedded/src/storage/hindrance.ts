/** What keeps a folder or a file from being used, by the code of the system's error. */
const HINDRANCES: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'it is not there'],
  ['EEXIST', 'it is a file'],
  ['ENOTDIR', 'what it would be in is a file'],
  ['EROFS', 'its file system can only be read'],
  ['EACCES', 'the user of this process may not'],
  ['EPERM', 'it belongs to another user'],
  ['ENOSPC', 'its disk is full'],
]);

/** @returns why a folder or a file can not be used, of the error that the system gave */
export function hindranceOf(cause: unknown): string {
  const { code, message } = Object(cause) as NodeJS.ErrnoException;
  return HINDRANCES.get(code) ?? message;
}
