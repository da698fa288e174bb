/** Whom a login is for, as a strategy found it before verifying anything. */
export interface LoginIdentity {
  /** Id of the entity when it was found, as text; else what was typed, in one spelling. Empty where it is no account at all. */
  readonly account: string;
  /** Whether there is such an entity. */
  readonly known: boolean;
  /** The entity as its service keeps it. A strategy that changes the stored secret of it replaces this too. */
  entity?: Readonly<Record<string, unknown>>;
}

/** Carries the identity in the parameters of a strategy's `authenticate`, and in its result to the service; it is never sent. */
export const IDENTITY: unique symbol = Symbol('framework.identity');
