/** A file that changes. */
export interface FileChange {
  /** Path from the folder of the application, with `/`. */
  readonly file: string;
  readonly before: string;
  readonly after: string;
}
