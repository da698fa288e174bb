import { isDeepStrictEqual } from 'node:util';
import { MemoryService, Random } from '@framework-internal/testing';
import { framework, showRecords, type HookContext, type Params, type ServiceOptions } from '@framework/core';
import { resolveExternal } from '../../src/hooks/resolve-hooks.ts';
import { getDispatch, RecordShape, resolve } from '../../src/index.ts';
import { ALL_SHAPE_RULES, type ShapeRules } from '../../src/record-shape/record-shape.ts';
import { Populate } from '../../src/relations/populate.ts';
import { ALL_POPULATE_RULES, type PopulateRules } from '../../src/relations/populate-rules.ts';

/** Text that nobody outside sees. */
const SECRET = 'SECRET';

/** Text that a hook keeps out of what callers get. */
const HOOKED = 'HOOKED';

/** What of an application holds; a mutation leaves one out. */
export interface RelationRules {
  readonly shape: ShapeRules;
  readonly populate: PopulateRules;
}

export const ALL_RELATION_RULES: RelationRules = { shape: ALL_SHAPE_RULES, populate: ALL_POPULATE_RULES };

/** What was tried, and what got through. */
export interface RelationFindings {
  readonly violations: string[];
  /** How often each construct came. */
  readonly took: Map<string, number>;
  /** Different questions. */
  readonly asked: Set<string>;
}

interface Field {
  readonly name: string;
  readonly mark: 'hidden' | 'writeOnly' | 'role' | 'plain';
  readonly inside: boolean;
}

interface Link {
  readonly form: 'one' | 'list' | 'inside a list';
  readonly mark: 'hidden' | 'role' | 'plain';
  readonly key: string;
  readonly as: string;
  readonly to: number;
}

interface Model {
  readonly path: string;
  readonly numbers: boolean;
  /** Whether callers from outside may call `find`. */
  readonly exposed: boolean;
  /** What makes what others get. */
  readonly resolved: 'resolver' | 'hook' | 'nothing';
  readonly fields: readonly Field[];
  readonly links: readonly Link[];
  readonly records: readonly Row[];
}

type Row = Record<string, unknown>;

/** Generates applications whose services name each other, and compares what callers get with what they should get. */
export async function searchRelations(seed: number, count: number, rules: RelationRules, most = Infinity): Promise<RelationFindings> {
  const random = new Random(seed);
  const found: RelationFindings = { violations: [], took: new Map(), asked: new Set() };
  for (let round = 0; round < count && found.violations.length < most; round++) {
    const models = generate(random);
    const told = (text: string): void => void found.violations.push(`seed ${String(seed)}, application ${String(round)}: ${text}`);
    // Each question finds the records as they were.
    for (let question = 0; question < 6; question++) await ask(makeApp(models, rules), models, random, found, told);
  }
  return found;
}

function generate(random: Random): Model[] {
  const count = 2 + random.below(3);
  return Array.from({ length: count }, (_, index): Model => {
    const numbers = random.oneIn(2);
    const fields = Array.from({ length: 2 + random.below(4) }, (_field, at): Field => {
      return {
        name: `f${String(at)}`,
        mark: random.pick(['plain', 'plain', 'hidden', 'writeOnly', 'role'] as const),
        inside: random.oneIn(3),
      };
    });
    const links = Array.from({ length: 1 + random.below(3) }, (_link, at): Link => {
      const form = random.pick(['one', 'one', 'list', 'inside a list'] as const);
      const mark = random.pick(['plain', 'plain', 'plain', 'hidden', 'role'] as const);
      return { form, mark, key: `k${String(at)}`, as: `r${String(at)}`, to: random.below(count) };
    });
    return {
      path: `s${String(index)}`,
      numbers,
      exposed: !random.oneIn(5),
      resolved: random.pick(['resolver', 'hook', 'nothing', 'nothing'] as const),
      fields,
      links,
      records: [],
    };
  }).map((model, _index, models) => ({ ...model, records: Array.from({ length: 4 }, (_row, at) => row(model, models, at, random)) }));
}

function idOf({ numbers }: Pick<Model, 'numbers'>, at: number): unknown {
  return numbers ? at : String(at);
}

function row(model: Model, models: readonly Model[], at: number, random: Random): Row {
  const record: Row = { id: idOf(model, at), kept: random.oneIn(4) };
  for (const { name, mark, inside } of model.fields) {
    const value = `${mark === 'plain' ? 'plain' : mark === 'role' ? 'ROLE' : SECRET} ${model.path} ${String(at)}`;
    record[name] = inside ? { value, beside: 1 } : value;
  }
  for (const { form, key, to } of model.links) {
    // Some lead nowhere: there is no fifth record.
    const id = (): unknown => idOf(models[to] as Model, random.below(5));
    if (form === 'one') record[key] = random.oneIn(6) ? null : id();
    else if (form === 'list') record[key] = Array.from({ length: random.below(4) }, id);
    else record.items = [...((record.items as Row[] | undefined) ?? []), ...Array.from({ length: 2 }, () => ({ [key]: id(), count: 1 }))];
  }
  return record;
}

const isAdmin = ({ headers }: Params): boolean => headers?.['x-role'] === 'admin';

function schemaOf(model: Model, models: readonly Model[]): object {
  const marks = { plain: {}, hidden: { hidden: true }, writeOnly: { writeOnly: true }, role: { readable: isAdmin } };
  const id = ({ numbers }: Model): object => ({ type: numbers ? 'integer' : 'string' });
  const properties: Row = { id: id(model), kept: { type: 'boolean' } };
  for (const { name, mark, inside } of model.fields) {
    const value = { type: 'string', ...marks[mark] };
    properties[name] = inside ? { type: 'object', properties: { value, beside: { type: 'integer' } } } : value;
  }
  const items: Row = { count: { type: 'integer' } };
  for (const { form, mark, key, as, to } of model.links) {
    const target = models[to] as Model;
    const reference = { ...id(target), reference: { service: target.path, as } };
    if (form === 'one') properties[key] = { anyOf: [reference, { type: 'null' }], ...marks[mark] };
    else if (form === 'list') properties[key] = { type: 'array', items: reference, ...marks[mark] };
    else items[key] = { ...reference, ...marks[mark] };
  }
  return { type: 'object', properties: { ...properties, items: { type: 'array', items: { type: 'object', properties: items } } } };
}

/** The services with what `serviceSchema` gives them, but for the checks of queries and data: these are slow to make, and not what is looked at. */
function makeApp(models: readonly Model[], rules: RelationRules) {
  const app = framework();
  for (const model of models) {
    const shape = new RecordShape(schemaOf(model, models) as never, { rules: rules.shape });
    const populate = new Populate(shape, rules.populate);
    const dispatch = resolve<{ id: unknown; code: string }>({
      code: async () => 'for others',
      [`${model.path}Secret`]: async () => undefined,
    } as never);
    const take = async (context: HookContext, next: () => Promise<void>): Promise<void> => {
      populate.take(context)?.();
      await next();
    };
    const resolved = { resolver: [resolveExternal(dispatch)], hook: [dispatchHook], nothing: [] }[model.resolved];
    const schema: NonNullable<ServiceOptions['schema']> = {
      rules: shape,
      outerHooks: { around: { all: [populate.populate, showRecords(shape), ...resolved] } },
      inputHooks: { around: { all: [take] } },
      innerHooks: { around: { all: [populate.takeRest] } },
    };
    const store = model.records.map((record) => ({
      ...record,
      ...(model.resolved === 'resolver' ? { [`${model.path}Secret`]: SECRET } : model.resolved === 'hook' ? { hooked: HOOKED } : {}),
    }));
    const methods = ['get', 'create', 'update', 'patch', 'remove', ...(model.exposed ? ['find'] : [])];
    app.use(model.path, new MemoryService({ store, multi: true }), { schema, methods });
    // A restriction for callers from outside.
    (app.service(model.path as never) as { hooks(map: object): unknown }).hooks({
      before: {
        find: [
          (context: HookContext) => {
            const { provider, query } = context.params;
            if (provider !== undefined && !isAdmin(context.params)) context.params.query = { ...query, kept: { $ne: true } };
          },
        ],
      },
    } as never);
  }
  return app as unknown as { service(path: string): MemoryService & { once(event: string, listener: (...args: unknown[]) => void): void } };
}

/** Makes what others get, and leaves the result as it is. */
async function dispatchHook(context: HookContext, next: () => Promise<void>): Promise<void> {
  await next();
  const shown = (record: Row): Row => {
    const { hooked: _hooked, ...others } = record;
    return { ...others, code: 'for others' };
  };
  const { result } = context;
  context.dispatch = Array.isArray(result) ? (result as Row[]).map(shown) : shown(result as Row);
}

type App = ReturnType<typeof makeApp>;

/** One call, and what it should give. */
async function ask(
  app: App,
  models: readonly Model[],
  random: Random,
  found: RelationFindings,
  told: (text: string) => void,
): Promise<void> {
  const took = (what: string): void => void found.took.set(what, (found.took.get(what) ?? 0) + 1);
  const admin = random.oneIn(3);
  const asked = models.filter(({ exposed }) => exposed);
  const model = random.pick(asked.length > 0 ? asked : models);
  const names = Array.from({ length: 1 + random.below(2) }, () => way(model, models, random));
  const at = random.below(4);
  const method = random.pick(['get', 'find', 'patch', 'remove', 'create'] as const);
  const params = { provider: 'rest', headers: admin ? { 'x-role': 'admin' } : {}, query: { $populate: names } };
  const about = `${method} ${model.path} ${names.join(' ')}${admin ? ' by admin' : ''}`;
  found.asked.add(`${about} of ${JSON.stringify(models[0])}`);
  took(method);
  took(admin ? 'admin' : 'nobody');
  took(`levels ${String(Math.max(...names.map((name) => name.split('.').filter((part) => part !== 'items').length)))}`);
  const isAllowed = names.every((name) => follows(model, models, name.split('.'), admin));
  took(isAllowed ? 'allowed' : 'refused');
  const service = app.service(model.path);
  const heard: unknown[] = [];
  for (const event of ['created', 'patched', 'removed'])
    service.once(event, (record, context) => heard.push(record, (context as HookContext).dispatch, (context as HookContext).result));
  const result = await call(service, method, model, at, params).catch((error: unknown) => error);
  if (!isAllowed) {
    if ((result as { code?: number }).code !== 400) told(`${about} is not refused`);
    return;
  }
  if (result instanceof Error) return told(`${about} fails: ${String(result)}`);
  for (const { form, mark } of model.links) took(`${form}, ${mark}`);
  // What was removed is not found any more.
  const left =
    method !== 'remove'
      ? models
      : models.map((one) => (one === model ? { ...one, records: one.records.filter((_row, index) => index !== at) } : one));
  const text = JSON.stringify(result);
  if (text.includes(SECRET) || text.includes(HOOKED)) told(`${about} shows ${text}`);
  if (text.includes('"r')) took('populated');
  const rows =
    method === 'find'
      ? model.records.filter(({ kept }) => admin || kept !== true)
      : [{ ...(model.records[at] as Row), ...(method === 'create' ? { id: 'new' } : {}) }];
  const expected = rows.map((record) => shownTo(record, model, left, names, admin));
  const given = method === 'find' ? (result as Row[]) : [result as Row];
  if (!isDeepStrictEqual(sorted(given), sorted(expected)))
    told(`${about} gives ${JSON.stringify(given)} and not ${JSON.stringify(expected)}`);
  for (const event of heard) if (/"r\d":/.test(JSON.stringify(event))) told(`${about} tells listeners ${JSON.stringify(event)}`);
  if (heard.length > 0) took('heard');
  await resend(app, model, names, told, about);
}

/** What the server read for itself is redacted when it is sent on. */
async function resend(app: App, model: Model, names: readonly string[], told: (text: string) => void, about: string): Promise<void> {
  const all = await app.service(model.path).find({ query: { $populate: names } });
  const text = JSON.stringify(getDispatch({ anywhere: { all } }));
  if (text.includes(SECRET) || text.includes('ROLE')) told(`${about} shows, when it is sent on, ${text}`);
}

async function call(service: MemoryService, method: string, model: Model, at: number, params: Params): Promise<unknown> {
  const id = idOf(model, at) as string;
  if (method === 'find') return service.find(params);
  if (method === 'get') return service.get(id, params);
  if (method === 'patch') return service.patch(id, {}, params);
  if (method === 'remove') return service.remove(id, params);
  return service.create({ ...(model.records[at] as Row), id: 'new' }, params);
}

function way(model: Model, models: readonly Model[], random: Random): string {
  const link = random.pick(model.links);
  const own = link.form === 'inside a list' ? `items.${link.as}` : link.as;
  const target = models[link.to] as Model;
  // At most three relations one behind the other.
  return random.oneIn(2) ? own : `${own}.${random.oneIn(2) ? nameOf(random.pick(target.links)) : way3(target, models, random)}`;
}

function way3(model: Model, models: readonly Model[], random: Random): string {
  const link = random.pick(model.links);
  return `${nameOf(link)}.${nameOf(random.pick((models[link.to] as Model).links))}`;
}

function nameOf({ form, as }: Link): string {
  return form === 'inside a list' ? `items.${as}` : as;
}

/** Whether a caller may go a way. */
function follows(model: Model, models: readonly Model[], way: readonly string[], admin: boolean): boolean {
  const [name, ...rest] = way[0] === 'items' ? way.slice(1) : way;
  if (name === undefined) return true;
  const link = model.links.find(({ as }) => as === name);
  const target = link && models[link.to];
  if (!link || !target?.exposed || link.mark === 'hidden' || (link.mark === 'role' && !admin)) return false;
  return follows(target, models, rest, admin);
}

/** What a caller should get of a record, worked out without anything of the framework. */
function shownTo(record: Row, model: Model, models: readonly Model[], names: readonly string[], admin: boolean): Row {
  const shown: Row = { id: record.id, kept: record.kept };
  if (model.resolved !== 'nothing') shown.code = 'for others';
  const sees = (mark: string): boolean => mark === 'plain' || (mark === 'role' && admin);
  for (const { name, mark, inside } of model.fields) {
    if (sees(mark)) shown[name] = record[name];
    else if (inside) shown[name] = { beside: 1 };
  }
  if (record.items) shown.items = (record.items as Row[]).map(({ count, ...keys }) => ({ count, ...visibleKeys(keys, model, sees) }));
  for (const { form, mark, key } of model.links) if (form !== 'inside a list' && sees(mark)) shown[key] = record[key];
  for (const link of model.links) {
    const own = nameOf(link);
    const inside = names.filter((name) => name === own || name.startsWith(`${own}.`));
    if (inside.length === 0 || !sees(link.mark)) continue;
    const behind = inside.filter((name) => name !== own).map((name) => name.slice(own.length + 1));
    const put = (id: unknown): Row | null => {
      const target = models[link.to] as Model;
      const other = target.records.find((candidate) => candidate.id === id);
      return other === undefined || (other.kept === true && !admin) ? null : shownTo(other, target, models, behind, admin);
    };
    if (link.form === 'one') shown[link.as] = put(record[link.key]);
    else if (link.form === 'list') shown[link.as] = (record[link.key] as unknown[]).map(put).filter((one) => one !== null);
    else for (const item of (shown.items ?? []) as Row[]) if (Object.hasOwn(item, link.key)) item[link.as] = put(item[link.key]);
  }
  return shown;
}

function visibleKeys(keys: Row, model: Model, sees: (mark: string) => boolean): Row {
  return Object.fromEntries(Object.entries(keys).filter(([key]) => sees(model.links.find((link) => link.key === key)?.mark ?? 'hidden')));
}

function sorted(rows: readonly Row[]): Row[] {
  return [...rows].sort((one, other) => String(one.id).localeCompare(String(other.id)));
}
