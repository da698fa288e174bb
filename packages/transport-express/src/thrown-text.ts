/** @returns the text of whatever was thrown, also of what throws when it is looked at */
export function thrownText(thrown: unknown): string {
  try {
    return thrown instanceof Error ? thrown.message : String(thrown);
  } catch {
    return 'A value that can not be read was thrown';
  }
}
