import { getRules, getServiceOptions, MAX_PROBLEMS, type HookContext, type Problem, type RecordRules, type Viewer } from '@framework/core';
import { BadRequest } from '@framework/errors';
import { coerce } from '../validation/coerce.ts';
import { bounded } from '../validation/problems.ts';
import { ALL_POPULATE_RULES, type PopulateRules } from './populate-rules.ts';
import { relationsOf, targetOf, type Relation } from './relation.ts';

/** Most relations that one call follows, those inside others included. */
export const MAX_RELATIONS = 20;

/** Most relations that are followed one behind the other. */
export const MAX_LEVELS = 4;

/** Longest name that is told, in characters. */
const MAX_NAME = 200;

/** One relation that a call follows, and what it asks of the records behind it. */
export interface Wanted {
  readonly relation: Relation;
  /** The other service. */
  readonly target: object;
  readonly $populate: readonly string[];
  /** `undefined` for whole records. */
  readonly $select: readonly string[] | undefined;
}

/** What a call follows. */
export interface PopulatePlan {
  readonly wanted: readonly Wanted[];
  /** What `$select` asks of the service's own records; `undefined` for all. */
  readonly select: readonly string[] | undefined;
}

/** A call, as far as a plan needs it. */
export type PlannedCall = Pick<HookContext, 'app' | 'params' | 'method'>;

/** A query has one name as a text. */
const LIST = Object.freeze({ type: 'array', items: { type: 'string' } });

const METHODS: ReadonlySet<string> = new Set(['find', 'get', 'create', 'update', 'patch', 'remove']);

/**
 * Works out what `$populate` and `$select` of a query mean, also behind relations, before the call does anything.
 *
 * @param records rules of the service's records
 * @param $populate one name, or several: `author`, `author.company`, `items.product`
 * @param $select names of the service's own properties, and of properties behind relations: `author.name`
 * @param rules rules that hold. Default: all
 * @throws BadRequest (400) with the path of each name that is not declared, or that the caller does not see
 */
export function planPopulate(
  call: PlannedCall,
  records: RecordRules,
  $populate: unknown,
  $select: unknown,
  rules: PopulateRules = ALL_POPULATE_RULES,
): PopulatePlan {
  const names = namesOf($populate);
  const given = coerce(LIST, $select);
  const list: readonly unknown[] | undefined = Array.isArray(given) ? given : undefined;
  if (!METHODS.has(call.method)) throw refused([problem('$populate', `is not for the method ${call.method}`)]);
  if (list?.some((name) => typeof name !== 'string')) throw refused([problem('$select', 'takes names of properties')]);
  const select = list as readonly string[] | undefined;
  const planner = new Planner(call, rules);
  const plan = planner.follow(records, names, select, '', 1);
  if (planner.problems.length > 0) throw refused(planner.problems);
  return plan;
}

class Planner {
  readonly problems: Problem[] = [];
  readonly #app: unknown;
  readonly #viewer: Viewer;
  readonly #rules: PopulateRules;
  #followed = 0;

  constructor({ app, params }: PlannedCall, rules: PopulateRules) {
    this.#app = app;
    this.#rules = rules;
    this.#viewer = params.provider === undefined ? 'internal' : { params };
  }

  /** @param base path that led here, with a dot behind it */
  follow(
    rules: RecordRules | undefined,
    names: readonly string[],
    select: readonly string[] | undefined,
    base: string,
    level: number,
  ): PopulatePlan {
    const asked = new Map<Relation, string[]>();
    for (const name of names) {
      const relation = rules && this.#relation(rules, name);
      if (!relation) this.#tell(`$populate.${base}${name}`, 'is no relation of the record');
      else asked.set(relation, [...(asked.get(relation) ?? []), ...inside(name, relation)]);
    }
    const own = select?.filter((name) => ![...asked.keys()].some((relation) => isBehind(name, relation)));
    // Of the service that was called the query itself is checked.
    if (level > 1) this.#checkSelect(rules, own ?? [], base);
    const wanted = [...asked].flatMap(([relation, nested]) => {
      const behind = select?.includes(relation.name) ? [] : (select ?? []).flatMap((name) => inside(name, relation));
      return this.#wanted(relation, nested, behind.length === 0 ? undefined : behind, base, level);
    });
    return { wanted, select: own };
  }

  #wanted(relation: Relation, $populate: readonly string[], $select: readonly string[] | undefined, base: string, level: number): Wanted[] {
    const target = targetOf(this.#app, relation);
    this.#followed += 1;
    if (level > MAX_LEVELS) this.#tell('$populate', `follows at most ${String(MAX_LEVELS)} relations one behind the other`);
    else if (this.#followed > MAX_RELATIONS) this.#tell('$populate', `follows at most ${String(MAX_RELATIONS)} relations`);
    else if (target !== undefined) {
      this.follow(getRules(target), $populate, $select, `${base}${relation.name}.`, level + 1);
      return [{ relation, target, $populate, $select }];
    }
    return [];
  }

  /** The relation that a name begins with, as far as it exists for the caller. */
  #relation(rules: RecordRules, name: string): Relation | undefined {
    const relation = relationsOf(rules.references).find((known) => isBehind(name, known));
    const target = relation && targetOf(this.#app, relation);
    if (target === undefined || this.#viewer === 'internal') return target && relation;
    const isSeen = !this.#rules.seen || rules.property(relation?.path.split('.') ?? [], this.#viewer)?.readable === true;
    const isExposed = !this.#rules.exposed || getServiceOptions(target)?.methods.includes('find') === true;
    return isSeen && isExposed ? relation : undefined;
  }

  #checkSelect(rules: RecordRules | undefined, names: readonly string[], base: string): void {
    for (const name of names)
      if (rules?.property(name.split('.'), this.#viewer)?.readable !== true)
        this.#tell(`$select.${base}${name}`, 'is no property of the record');
  }

  #tell(path: string, message: string): void {
    if (this.problems.length < MAX_PROBLEMS) this.problems.push(problem(path, message));
  }
}

function namesOf(given: unknown): string[] {
  const names = typeof given === 'string' ? [given] : given;
  if (!Array.isArray(names) || names.some((name) => typeof name !== 'string' || name === ''))
    throw refused([problem('$populate', 'takes names of relations, such as author or author.company')]);
  if (names.length > MAX_RELATIONS) throw refused([problem('$populate', `takes at most ${String(MAX_RELATIONS)} names`)]);
  return [...new Set(names as string[])];
}

/** Whether a name is that of a relation, or of something behind it. */
function isBehind(name: string, relation: Relation): boolean {
  return name === relation.name || name.startsWith(`${relation.name}.`);
}

/** What a name asks behind a relation. */
function inside(name: string, relation: Relation): string[] {
  return name.startsWith(`${relation.name}.`) ? [name.slice(relation.name.length + 1)] : [];
}

function problem(path: string, message: string): Problem {
  const shown = path.slice(0, MAX_NAME);
  return { path: shown, keyword: 'populate', message: `${shown} ${message}`, params: {} };
}

function refused(problems: readonly Problem[]): BadRequest {
  return new BadRequest('validation failed', { errors: bounded(problems) });
}
