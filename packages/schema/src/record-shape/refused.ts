import { isPlainObject } from '@framework/query';
import { reachable, type Location } from './location.ts';
import { mayBeBytes } from './parts.ts';
import {
  ALL_MARK_RULES,
  comparesPath,
  comparesWithin,
  kindOf,
  locationsOn,
  MAX_PROBLEMS,
  partsOf,
  READING_OPERATORS,
  REMOVING_OPERATORS,
  Sight,
  type MarkRules,
  type Problem,
  type Viewer,
} from '@framework/core';

/** Deepest nesting of data. */
const MAX_DEPTH = 100;

/** What is looked at in data. Each rule can be taken out, so that a test can show that it is needed. */
export interface WriteRules extends MarkRules {
  /** Whether properties that nothing describes are refused. */
  readonly unknown: boolean;
  /** Whether what lies below a property is looked at. */
  readonly nested: boolean;
  /** Whether names with dots are taken apart. */
  readonly dotted: boolean;
  /** Whether operands of update operators are looked at. */
  readonly operators: boolean;
}

/** All rules hold. */
export const ALL_WRITE_RULES: WriteRules = Object.freeze({ ...ALL_MARK_RULES, unknown: true, nested: true, dotted: true, operators: true });

/** Finds what a viewer may not set in data. */
export class WriteCheck {
  readonly problems: Problem[] = [];
  readonly #sight: Sight;
  readonly #rules: WriteRules;
  readonly #isDeclared: (name: string) => boolean;
  /** The update operator whose operands are looked at; none for values that are set as they are. */
  #operation: string | undefined;

  /**
   * @param isDeclared whether a name with dots or an operator is declared as it is
   */
  constructor(viewer: Viewer, isDeclared: (name: string) => boolean = () => false, rules: WriteRules = ALL_WRITE_RULES) {
    this.#sight = new Sight(viewer, rules);
    this.#isDeclared = isDeclared;
    this.#rules = rules;
  }

  /** Looks at a whole record, or at a change of one. */
  record(data: unknown, root: Location): void {
    if (!isPlainObject(data)) {
      this.#tell('', 'type', 'must be an object');
      return;
    }
    for (const name of Object.keys(data)) {
      if (this.#full()) return;
      if (name.startsWith('$')) this.#operator(name, data[name], root);
      else this.#property(data[name], root, name);
    }
  }

  /** Below an operator stand paths; its own modifiers, such as `$each`, lie below those. */
  #operator(operator: string, operands: unknown, root: Location): void {
    if (!this.#rules.operators) return;
    if (!isPlainObject(operands)) {
      this.#tell(operator, 'operator', 'takes an object of paths');
      return;
    }
    this.#operation = operator;
    for (const path of Object.keys(operands)) {
      if (this.#full()) break;
      const operand = operands[path];
      this.#path(operator === '$rename' ? undefined : operand, root, path, operator);
      if (operator === '$rename') this.#path(undefined, root, typeof operand === 'string' ? operand : '', operator);
    }
    this.#operation = undefined;
  }

  #property(value: unknown, parent: Location, name: string): void {
    if (!name.includes('.') || !this.#rules.dotted) this.#at(value, parent, parent.step(name), name, 1);
    // The rules of the path that it means hold besides.
    else if (parent.names.includes(name)) {
      if (locationsOn(parent, partsOf(name)).some((location) => !this.#takes(location))) this.#refuse(name, true);
      else this.#at(value, parent, parent.step(name), name, 1);
    }
    // Taken apart, so that the rules of the parts hold; taken at all only where this very name is declared.
    else if (this.#isDeclared(name)) this.#path(value, parent, name, '');
    else this.#tell(name, 'additionalProperties', 'can not be set: a name with dots has to be declared by the data schema');
  }

  #path(value: unknown, root: Location, path: string, base: string): void {
    const parts = this.#rules.dotted ? partsOf(path) : [path];
    const on = locationsOn(root, parts);
    const shown = joined(base, path);
    const above = on.slice(0, parts.length - 1);
    const last = on[parts.length - 1];
    if (above.some((location) => !this.#takes(location))) this.#refuse(shown, true);
    else if (comparesPath(this.#operation) && last !== undefined && this.#takes(last) && this.#hasUnseen(last)) this.#refuse(shown, false);
    else this.#at(value, above.at(-1) ?? root, last, shown, 1);
  }

  #at(value: unknown, parent: Location, location: Location | undefined, path: string, depth: number): void {
    if (path === '__proto__' || path.endsWith('.__proto__')) this.#refuse(path, false);
    else if (location === undefined) {
      if (this.#rules.unknown && !isOpen(parent)) this.#refuse(path, false);
    } else if (!this.#takes(location)) this.#refuse(path, location.marks.readOnly);
    else if (this.#does(REMOVING_OPERATORS) && [...reachable(location)].some((below) => !this.#takes(below))) this.#refuse(path, true);
    else if (this.#rules.nested) this.#value(value, location, path, depth);
  }

  /**
   * One value stands for a list of one, and an operator names a list to change its elements. What is an object here may be described as such too, or
   * be a list by its indexes: a step from a list is one from its elements besides.
   */
  #value(value: unknown, location: Location, path: string, depth: number): void {
    const elements = location.listed && !Array.isArray(value) && value !== null && value !== undefined ? location.elements() : [];
    const kept = [...elements].find((element) => !this.#takes(element));
    if (kept) this.#refuse(path, kept.marks.readOnly);
    else this.#inside(value, location, path, depth);
  }

  #inside(value: unknown, location: Location, path: string, depth: number): void {
    if (typeof value !== 'object' || value === null) return;
    const kind = kindOf(value);
    if (isBytes(value) && !mayBeBytes(location.members)) this.#tell(path, 'type', 'must be object');
    if (kind !== 'list' && kind !== 'object' && kind !== 'json') return;
    if (depth > MAX_DEPTH) {
      this.#tell(path, 'depth', `is nested deeper than ${String(MAX_DEPTH)} levels`);
      return;
    }
    for (const name of Object.keys(value)) {
      if (this.#full()) return;
      const entry: unknown = Reflect.get(value, name);
      const inner = joined(path, name);
      if (kind === 'list') this.#at(entry, location, location.element(Number(name)), inner, depth + 1);
      else if (comparesWithin(this.#operation, name, entry) && this.#hasUnseen(this.#below(location, name))) this.#refuse(inner, false);
      // Modifiers of an operator: what they hold lies at the same place.
      else if (name === '$sort') this.#order(entry, location, inner, depth + 1);
      else if (name.startsWith('$')) this.#modifier(entry, location, inner, depth + 1);
      else if (name.includes('.') && locationsOn(location, partsOf(name)).some((step) => !this.#takes(step))) this.#refuse(inner, true);
      else this.#at(entry, location, location.step(name), inner, depth + 1);
    }
  }

  /** A list behind a modifier has elements for the list that is changed, wherever they come to stand in it. */
  #modifier(operand: unknown, location: Location, path: string, depth: number): void {
    if (!Array.isArray(operand)) this.#inside(operand, location, path, depth);
    else if (depth > MAX_DEPTH) this.#tell(path, 'depth', `is nested deeper than ${String(MAX_DEPTH)} levels`);
    else
      for (const [index, entry] of operand.entries()) this.#at(entry, location, location.element(), joined(path, String(index)), depth + 1);
  }

  /** The order of values tells of everything in them: that of whole elements, and that by paths into them. */
  #order(order: unknown, location: Location, path: string, depth: number): void {
    if (isPlainObject(order))
      for (const name of Object.keys(order)) {
        const on = locationsOn(location, partsOf(name));
        if (on.some((step) => this.#isUnseen(step)) || this.#hasUnseen(on[partsOf(name).length - 1]))
          this.#refuse(joined(path, name), false);
        else this.#inside({ [name]: order[name] }, location, path, depth);
      }
    else if (this.#hasUnseen(location)) this.#refuse(path, false);
  }

  /** @returns where a name leads to: operators hold what lies at the same place */
  #below(location: Location, name: string): Location | undefined {
    if (name.startsWith('$')) return location;
    const parts = partsOf(name);
    return locationsOn(location, parts)[parts.length - 1];
  }

  #hasUnseen(location: Location | undefined): boolean {
    return location !== undefined && [...reachable(location)].some((below) => this.#isUnseen(below));
  }

  #isUnseen({ marks }: Location): boolean {
    return !this.#sight.sees(marks);
  }

  #does(operators: ReadonlySet<string>): boolean {
    return this.#operation !== undefined && operators.has(this.#operation);
  }

  #takes({ marks }: Location): boolean {
    return this.#sight.sets(marks) && (!this.#does(READING_OPERATORS) || this.#sight.sees(marks));
  }

  /** What is hidden is told as what does not exist. */
  #refuse(path: string, readOnly: boolean): void {
    this.#tell(path, readOnly ? 'readOnly' : 'additionalProperties', 'can not be set');
  }

  #tell(path: string, keyword: string, message: string): void {
    if (!this.#full()) this.problems.push({ path, keyword, message: `${path === '' ? 'the value' : path} ${message}`, params: {} });
  }

  #full(): boolean {
    return this.problems.length >= MAX_PROBLEMS;
  }
}

/** Whether a value may have any property, as an object or as an element of a list. */
function isOpen(location: Location): boolean {
  return location.open || (location.listed && [...location.elements()].some(({ open }) => open));
}

function isBytes(value: object): boolean {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
}

function joined(base: string, name: string): string {
  return base === '' ? name : `${base}.${name}`;
}
