import type { FieldRule, Marks } from './place.ts';
import type { Viewer } from './record-rules.ts';

/** The ways in which marks keep a value from a caller. Each can be taken out, so that a test can show that it is needed. */
export interface MarkRules {
  /** Whether `hidden` keeps a value from being seen. */
  readonly hidden: boolean;
  /** Whether `writeOnly` keeps a value from being seen. */
  readonly writeOnly: boolean;
  /** Whether rules by role keep a value from being seen. */
  readonly readable: boolean;
  /** Whether `readOnly` keeps a value from being written. */
  readonly readOnly: boolean;
  /** Whether `hidden` keeps a value from being written. */
  readonly hiddenWrites: boolean;
  /** Whether rules by role keep a value from being written. */
  readonly writable: boolean;
}

/** All rules hold. */
export const ALL_MARK_RULES: MarkRules = Object.freeze({
  hidden: true,
  writeOnly: true,
  readable: true,
  readOnly: true,
  hiddenWrites: true,
  writable: true,
});

/** What one viewer sees and sets, for the length of one piece of work: each rule by role is asked once. */
export class Sight {
  /** Whether the viewer is code on the server, which sees and sets everything. */
  readonly internal: boolean;
  readonly #params: object;
  readonly #rules: MarkRules;
  /** Made when the first rule is asked: most records have none. */
  #verdicts: Map<FieldRule, boolean> | undefined;

  constructor(viewer: Viewer, rules: MarkRules = ALL_MARK_RULES) {
    this.internal = viewer === 'internal';
    this.#params = viewer === 'internal' ? {} : viewer.params;
    this.#rules = rules;
  }

  /** @returns whether the viewer may see a value with these marks */
  sees({ hidden, writeOnly, readable }: Marks): boolean {
    if (this.internal) return true;
    if ((hidden && this.#rules.hidden) || (writeOnly && this.#rules.writeOnly)) return false;
    return !this.#rules.readable || readable.every((rule) => this.#asks(rule));
  }

  /** @returns whether the viewer may set a value with these marks */
  sets({ sealed, readOnly, writable }: Marks): boolean {
    if (this.internal) return true;
    if ((readOnly && this.#rules.readOnly) || (sealed && this.#rules.hiddenWrites)) return false;
    return !this.#rules.writable || writable.every((rule) => this.#asks(rule));
  }

  #asks(rule: FieldRule): boolean {
    const verdicts = (this.#verdicts ??= new Map<FieldRule, boolean>());
    const known = verdicts.get(rule);
    if (known !== undefined) return known;
    const verdict = agrees(rule, this.#params);
    verdicts.set(rule, verdict);
    return verdict;
  }
}

/** A rule that fails, for example because nobody is logged in, does not agree. */
function agrees(rule: FieldRule, params: object): boolean {
  try {
    const verdict: unknown = rule(params as never);
    // Anything but `true` is no agreement, a promise neither. One that is rejected would end the process, and callers would decide when.
    if (typeof verdict === 'object' && verdict !== null) Promise.resolve(verdict).catch(() => undefined);
    return verdict === true;
  } catch {
    return false;
  }
}
