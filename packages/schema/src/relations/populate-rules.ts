/** What keeps populated records to what their caller may see. Each can be taken out, so that a test can show that it is needed. */
export interface PopulateRules {
  /** Whether the other service is called for the caller, and not for the server. */
  readonly caller: boolean;
  /** Whether what the other service's hooks made for callers from outside is taken, and not its result. */
  readonly dispatch: boolean;
  /** Whether a relation is followed only where the caller sees the id. */
  readonly seen: boolean;
  /** Whether a service is asked only where callers from outside may call its `find`. */
  readonly exposed: boolean;
  /** Whether those who listen to events get records as they are without. */
  readonly quiet: boolean;
}

/** All rules hold. */
export const ALL_POPULATE_RULES: PopulateRules = Object.freeze({ caller: true, dispatch: true, seen: true, exposed: true, quiet: true });
