/** Whom a login is for, as a strategy found it before verifying anything. */
export interface LoginIdentity {
  /** Id of the entity when it was found, as text; else what was typed, in one spelling. Empty where it is no account at all. */
  readonly account: string;
  /** Whether there is such an entity. */
  readonly known: boolean;
  /**
   * What was typed, in a spelling that looks neither at case nor at accents, whether or not there is such an entity. It is counted beside the account, so that who tries several
   * spellings does not see by what is held back that one of them is somebody. Default: nothing is counted beside it.
   */
  readonly text?: string;
  /** The entity as its service keeps it. A strategy that changes the stored secret of it replaces this too. */
  entity?: Readonly<Record<string, unknown>>;
}

/** Carries the identity in the parameters of a strategy's `authenticate`, and in its result to the service; it is never sent. */
export const IDENTITY: unique symbol = Symbol('framework.identity');
