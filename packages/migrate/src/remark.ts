/** Something that a person has to look at. */
export interface Remark {
  /** Path from the folder of the application, with `/`. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** What it is, and what to do. */
  readonly reason: string;
  /** Section of `docs/guides/migrating.md`. */
  readonly section: GuideSection;
}

/** The sections of the guide. */
export type GuideSection = 'Names' | 'What needs an option or a line of yours' | 'What is different on purpose' | 'By a command';
