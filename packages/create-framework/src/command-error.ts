/** What is wrong with a command, told to whoever typed it: the text alone, and exit code 2. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
}
