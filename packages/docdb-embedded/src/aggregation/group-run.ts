import { compare } from '../bson/compare.ts';
import { decode } from '../bson/decode.ts';
import { encode } from '../bson/encode.ts';
import { put } from '../bson/fields.ts';
import { type Doc, isDocument, isNumber, type Value } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import { checkSpill, limitOf, type MemoryRules, OVERHEAD } from '../spill/memory.ts';
import { roughSize } from '../spill/rough-size.ts';
import { SpillFile } from '../spill/spill-file.ts';
import { compileExpression, type Env, type Evaluate, type ExpressionScope } from './expression.ts';
import { compileGroupFields, inGroup, type FieldState, type GroupField } from './group-fields.ts';
import { keyText } from '../query/value-set.ts';
import type { Vars } from './pipeline-types.ts';

/** A compiled `$group`. */
export interface GroupSpec {
  readonly id: Evaluate;
  readonly fields: readonly GroupField[];
  readonly scope: ExpressionScope;
}

/**
 * Compiles a `$group`.
 *
 * @throws DocDbError (15947, 15955, 40235, …) for what is none
 */
export function compileGroup(operand: Value, scope: ExpressionScope): GroupSpec {
  if (!isDocument(operand)) throw new DocDbError(15947, "a group's fields must be specified in an object");
  if (!('_id' in operand)) throw new DocDbError(15955, 'a group specification must include an _id');
  checkGroupId(operand._id);
  return { id: compileExpression(operand._id, scope), fields: compileGroupFields(operand, scope), scope };
}

/** @throws DocDbError (17390) for a key that chooses fields as a projection does */
function checkGroupId(id: Value): void {
  if (!isDocument(id)) return;
  for (const name of Object.keys(id))
    if (!name.startsWith('$') && (typeof id[name] === 'boolean' || isNumber(id[name])))
      throw new DocDbError(17390, `$group does not support inclusion-style expressions: ${name}`);
}

interface Group {
  readonly id: Value;
  readonly states: FieldState[];
  /** Another group whose key has the same text: a collation decides. */
  next: Group | undefined;
}

/** Files that groups are divided among when memory has no room for them. */
const PARTS = 16;
/** How often a part is divided again. */
const MAX_DEPTH = 4;
/** Groups that are written or given before others get their turn. */
const STEP = 500;

/**
 * Groups documents while they come. Groups that have no room in memory are divided by their keys among files, each of
 * which is brought together by itself in the end.
 */
export class GroupRun {
  readonly #spec: GroupSpec;
  readonly #rules: MemoryRules;
  readonly #depth: number;
  #groups = new Map<string, Group>();
  #bytes = 0;
  #parts: SpillFile[] = [];

  /** @param depth how often what it groups was divided already */
  constructor(spec: GroupSpec, rules: MemoryRules, depth = 0) {
    this.#spec = spec;
    this.#rules = rules;
    this.#depth = depth;
  }

  /** Takes documents; gives others their turn while it writes to the disk. */
  *add(docs: readonly Doc[], vars: Vars): Generator<void, void> {
    inGroup(() => {
      for (const root of docs) this.#take({ root, vars });
    });
    if (this.#isFull) yield* this.#spill();
  }

  #take(env: Env): void {
    const { id, fields } = this.#spec;
    const { states } = this.#groupOf(id(env));
    for (let at = 0; at < fields.length; at++) this.#bytes += (fields[at] as GroupField).add(states[at] as FieldState, env);
  }

  /** Whether memory had no room for all groups. */
  get spilled(): boolean {
    return this.#parts.length > 0;
  }

  /** What one group may have, which no dividing makes smaller: as much as without the disk. */
  get #limitOfOne(): number {
    return limitOf({ ...this.#rules, allowDiskUse: false });
  }

  get #isFull(): boolean {
    return this.#bytes > (this.#groups.size === 1 ? this.#limitOfOne : limitOf(this.#rules));
  }

  #textOf(id: Value): string {
    return keyText(id, this.#spec.scope.collator);
  }

  #groupOf(id: Value): Group {
    const text = this.#textOf(id);
    const { collator } = this.#spec.scope;
    const first = this.#groups.get(text);
    for (let known = first; known; known = known.next) if (!collator || compare(known.id, id ?? null, collator) === 0) return known;
    const created: Group = { id: id ?? null, states: this.#spec.fields.map(() => []), next: undefined };
    this.#bytes += OVERHEAD + roughSize(id) + created.states.length * OVERHEAD;
    if (first) {
      created.next = first.next;
      first.next = created;
    } else this.#groups.set(text, created);
    return created;
  }

  *#all(): Generator<Group, void> {
    for (const first of this.#groups.values()) for (let group: Group | undefined = first; group; group = group.next) yield group;
  }

  *#spill(): Generator<void, void> {
    checkSpill('$group', this.#rules);
    if (this.#depth === MAX_DEPTH || (this.#isFull && this.#groups.size === 1))
      throw new DocDbError(
        146,
        `A group of $group used too much memory and cannot spill to disk. Memory limit: ${String(this.#limitOfOne)} bytes`,
      );
    if (!this.spilled) this.#parts = Array.from({ length: PARTS }, () => new SpillFile());
    let count = 0;
    for (const { id, states } of this.#all()) {
      this.#parts[partOf(this.#textOf(id), this.#depth)]?.write(encode({ id, states }));
      if (++count % STEP === 0) yield;
    }
    this.#groups = new Map();
    this.#bytes = 0;
  }

  /** The groups, in the order in which they came up unless they were divided; steps may be empty. */
  *results(): Generator<Doc[], void> {
    if (!this.spilled) {
      yield* this.#rows();
      return;
    }
    for (const _turn of this.#spill()) yield [];
    for (const part of this.#parts) {
      const run = new GroupRun(this.#spec, this.#rules, this.#depth + 1);
      try {
        part.flush();
        yield* run.#gather(part);
        yield* run.results();
      } finally {
        run.close();
      }
    }
  }

  *#gather(part: SpillFile): Generator<Doc[], void> {
    const { fields } = this.#spec;
    let count = 0;
    for (const bytes of part.read({ start: 0, end: part.size })) {
      const { id, states } = decode(bytes);
      const group = this.#groupOf(id);
      for (const [at, later] of (states as FieldState[]).entries()) {
        this.#bytes += fields[at]?.merge(group.states[at] as FieldState, later) ?? 0;
      }
      if (this.#isFull) for (const _turn of this.#spill()) yield [];
      if (++count % STEP === 0) yield [];
    }
  }

  *#rows(): Generator<Doc[], void> {
    const { fields } = this.#spec;
    let rows: Doc[] = [];
    for (const { id, states } of this.#all()) {
      let row: Doc = { _id: id };
      const key = isDocument(id) ? id : {};
      for (const [at, field] of fields.entries()) row = put(row, field.name, field.finish(states[at] as FieldState, key));
      rows.push(row);
      if (rows.length < STEP) continue;
      yield rows;
      rows = [];
    }
    if (rows.length > 0) yield rows;
  }

  /** Gives back what it has on the disk. */
  close(): void {
    for (const part of this.#parts.splice(0)) part.close();
  }
}

/** @returns the groups of documents that are there */
export function groupAll(spec: GroupSpec, docs: readonly Doc[], vars: Vars): Doc[] {
  const groups = new GroupRun(spec, { allowDiskUse: true });
  try {
    for (const _turn of groups.add(docs, vars));
    return [...groups.results()].flat();
  } finally {
    groups.close();
  }
}

/** @returns which part a key belongs to: another division at each depth (FNV-1a, then the end of MurmurHash3) */
function partOf(text: string, depth: number): number {
  let hash = 0x811c9dc5 ^ depth;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16) ^ Math.imul(depth, 0x9e3779b1), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % PARTS;
}
