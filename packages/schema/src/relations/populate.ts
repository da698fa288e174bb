import {
  answerBy,
  callerAnswer,
  copyParams,
  eachRecord,
  formOf,
  isAnswered,
  type HookContext,
  type NextFunction,
  type RecordRules,
} from '@framework/core';
import { withIds } from '../hooks/asked-for.ts';
import { fetchRecords, isUnseen } from './fetch-records.ts';
import { idsIn, MAX_PLACED, PlacedRecords, placeRecords, type Found } from './place-records.ts';
import { ALL_POPULATE_RULES, type PopulateRules } from './populate-rules.ts';
import { planPopulate, type PopulatePlan, type Wanted } from './populate-plan.ts';
import { RecordsByKey } from './record-key.ts';
import { inBatches } from './record-batches.ts';

/** What a call was found to follow, and the paths that were read for their ids alone. */
interface Populated extends PopulatePlan {
  readonly without: readonly string[];
}

/**
 * Puts records of other services into the results of a service: `$populate` of a query, from the check of what came in to what leaves.
 *
 * The caller's own records are redacted before their ids are read, and the other service redacts its own: what is put in is what its
 * `find` would have answered the same caller. Events hold nothing of it.
 */
export class Populate {
  readonly #records: RecordRules;
  readonly #rules: PopulateRules;
  readonly #calls = new WeakMap<HookContext, Populated>();

  /**
   * @param records rules of the service's records
   * @param rules rules that hold. Default: all
   */
  constructor(records: RecordRules, rules: PopulateRules = ALL_POPULATE_RULES) {
    this.#records = records;
    this.#rules = rules;
  }

  /**
   * Takes `$populate`, and what `$select` asks behind relations, out of the query of a call.
   *
   * @returns adds what has to be read besides, once the rest of the query is checked; `undefined` when nothing is populated
   * @throws BadRequest (400) with the path of each name that is not declared
   */
  take(context: HookContext): (() => void) | undefined {
    const { $populate, ...query } = context.params.query ?? {};
    if ($populate === undefined) return undefined;
    const known = this.#calls.get(context);
    const plan = planPopulate(context, this.#records, $populate, query.$select, this.#rules);
    context.params = copyParams(context.params, { query: plan.select ? { ...query, $select: plan.select } : query });
    return () => {
      const { select } = plan;
      const read = select
        ? plan.wanted.map(({ relation }) => relation.path).filter((path) => !select.some((name) => covers(name, path)))
        : [];
      // Id and version are in every answer.
      const kept = withIds(context, []);
      if (select) {
        const besides = { ...context.params.query, $select: [...select, ...new Set(read)] };
        context.params = copyParams(context.params, { query: besides });
      }
      this.#calls.set(context, joined(known, { ...plan, without: read.filter((path) => !kept.includes(path)) }));
    };
  }

  /** Around hook next to the method: hooks of the application may have asked for more. */
  readonly takeRest = async (context: HookContext, next: NextFunction): Promise<void> => {
    this.take(context)?.();
    await next();
  };

  /** Around hook around everything: what leaves is populated. */
  readonly populate = async (context: HookContext, next: NextFunction): Promise<void> => {
    await next();
    if (isAnswered(context)) return;
    // A hook that answers in place of the method may have kept the query from being read.
    this.take(context)?.();
    const plan = this.#calls.get(context);
    if (plan === undefined) return;
    const external = context.params.provider !== undefined;
    const answer = external ? callerAnswer(context) : context.result;
    // Those who listen get the event before, and without what this caller asked for.
    if (context.event !== null && this.#rules.quiet) {
      answerBy(context, () => this.#populated(context, plan, answer));
      return;
    }
    context.result = await this.#populated(context, plan, answer);
    if (external) context.dispatch = context.result;
  };

  async #populated(context: HookContext, plan: Populated, value: unknown): Promise<unknown> {
    const most = context.params.provider === undefined ? Infinity : MAX_PLACED;
    const placed = new PlacedRecords(most);
    const populate = async (records: readonly unknown[]): Promise<readonly unknown[]> => {
      placed.begin();
      const found: Found[] = [];
      // One after the other: a transaction takes one command at a time.
      for (const wanted of plan.wanted) {
        const ids = records.flatMap((record) => idsIn(record, wanted.relation));
        placed.check(ids.length);
        found.push({ relation: wanted.relation, records: await find(wanted, ids, context, this.#rules) });
      }
      return records.map((record) => placeRecords(record, found, placed, plan.without));
    };
    if (formOf(context, value) === 'stream') return inBatches(value as AsyncIterable<unknown>, populate);
    const records: unknown[] = [];
    const same = (other: unknown): unknown => other;
    const note = (record: unknown): unknown => {
      records.push(record);
      return record;
    };
    eachRecord(context, value, { record: note, other: same });
    const made = await populate(records);
    let index = 0;
    return eachRecord(context, value, { record: () => made[index++], other: same });
  }
}

/** The records behind a relation, as far as the caller sees them. */
async function find(
  { target, $populate, $select }: Wanted,
  ids: readonly unknown[],
  { params }: HookContext,
  rules: PopulateRules,
): Promise<RecordsByKey> {
  const asked = { ...($populate.length > 0 ? { $populate } : {}), ...($select ? { $select } : {}) };
  try {
    return await fetchRecords(target, ids, params, asked, rules);
  } catch (error) {
    if (isUnseen(error)) return new RecordsByKey();
    throw error;
  }
}

/** Whether a selected name has all of a path in it. */
function covers(name: string, path: string): boolean {
  return name === path || path.startsWith(`${name}.`);
}

/** What was asked for first, and what hooks have asked for besides. */
function joined(first: Populated | undefined, more: Populated): Populated {
  if (first === undefined) return more;
  const byRelation = new Map(first.wanted.map((wanted) => [wanted.relation, wanted]));
  for (const wanted of more.wanted) {
    const known = byRelation.get(wanted.relation);
    const $select = known?.$select && wanted.$select ? [...known.$select, ...wanted.$select] : undefined;
    byRelation.set(wanted.relation, {
      ...wanted,
      $populate: [...new Set([...(known?.$populate ?? []), ...wanted.$populate])],
      $select: known ? $select : wanted.$select,
    });
  }
  return { ...more, wanted: [...byRelation.values()], without: [...new Set([...first.without, ...more.without])] };
}
