import type { Edit } from '../source/edit.ts';
import type { Remark } from '../remark.ts';

/** What becomes of one file. */
export interface SourcePlan {
  readonly edits: Edit[];
  /** Parts that go, each by one of the edits: what others would change in them goes too. */
  readonly gone: Edit[];
  /** What stays for a person. */
  readonly left: Remark[];
  /** Why nothing can be done at all. */
  readonly blockers: Remark[];
  /** Packages that it imports when it is changed. */
  readonly packages: Set<string>;
  /** Packages of FeathersJS that it goes on using, or whose types it goes on adding to. */
  readonly kept: Set<string>;
  /** Names that its imports have got in the place of others: two names there may be one here. */
  readonly taken: Set<string>;
}

/** A plan with nothing in it. */
export const emptyPlan = (): SourcePlan => ({
  edits: [],
  gone: [],
  left: [],
  blockers: [],
  packages: new Set(),
  kept: new Set(),
  taken: new Set(),
});
