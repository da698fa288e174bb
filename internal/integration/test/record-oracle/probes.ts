import { RecordShape } from '@framework/schema';
import type { Random } from '@framework-internal/testing';
import { SECRET, type GeneratedShape, type MarkedPlace } from '@framework-internal/testing/shapes';
import type { Answer } from '../harness.ts';
import type { Stored, World } from './world.ts';

/** What is told of a probe, and counted. */
export interface Notes {
  violation(text: string): void;
  took(branch: string): void;
}

/** Everything that can leave is searched for the texts of secrets, and for those that everyone may see. */
export async function seeAll(
  world: World,
  stored: Stored,
  { schema, visible, record, places }: GeneratedShape,
  notes: Notes,
): Promise<void> {
  const { path, id } = stored;
  const login = await world.send('POST', '/authentication', { strategy: 'any', id });
  const { accessToken } = (login.body ?? {}) as { accessToken?: string };
  if (login.status !== 201 || accessToken === undefined) notes.violation(`login is ${String(login.status)} ${login.text}`);
  const headers = { authorization: `Bearer ${String(accessToken)}` };
  const custom = { 'x-service-method': 'report' };
  const clean = cleanOf(record, places);
  const answers: [string, Answer][] = [
    ['login', login],
    ['find', await world.send('GET', `/${path}`)],
    ['get', await world.send('GET', `/${path}/${id}`)],
    ['custom method', await world.send('POST', `/${path}`, {}, custom)],
    ['resolver', await world.send('GET', `/${path}/posts/1`)],
    ['plain service', await world.send('GET', '/plain/1')],
    ['custom method of a plain service', await world.send('POST', '/plain', {}, custom)],
    ['create of a plain service', await world.send('POST', '/plain', {})],
    ['params', await world.send('GET', '/whoami', undefined, headers)],
    ['page', await world.send('GET', '/page', undefined, headers)],
    ['error', await world.send('GET', '/plain/error')],
    ['errors', await world.send('GET', '/plain/errors')],
    ['create', await world.send('POST', `/${path}`, clean)],
    ['patch', await world.send('PATCH', `/${path}/${id}`, {})],
    ['refused patch', await world.send('PATCH', `/${path}/${id}`, record)],
    ['remove', await world.send('DELETE', `/${path}/${id}`)],
  ];
  await stored.restore();
  // Where a shape says what lies under any name, it may hide what the custom method calls a list.
  const describesAny = new RecordShape(schema).property(['list'], { params: {} }) !== undefined;
  const shown = new Set([
    'find',
    'get',
    ...(describesAny ? [] : ['custom method']),
    'resolver',
    'plain service',
    'params',
    'page',
    'login',
    'error',
    'patch',
    'remove',
  ]);
  for (const [name, { status, text }] of answers) {
    notes.took(`${name} ${String(status)}`);
    if (text.includes(SECRET)) notes.violation(`${name} sends ${text}`);
    if (status >= 500) notes.violation(`${name} is ${String(status)}: ${text}`);
    if (shown.has(name)) for (const part of visible) if (!text.includes(part)) notes.violation(`${name} does not send ${part}: ${text}`);
  }
  notes.took('event');
  if (stored.left.length < 5) notes.violation(`only ${String(stored.left.length)} events and parameters`);
  for (const text of stored.left) if (text.includes(SECRET)) notes.violation(`an event, or parameters, have ${text}`);
}

/** Neither a secret nor anything that holds one can be asked about. */
export async function ask(world: World, { path }: Stored, place: MarkedPlace, random: Random, notes: Notes): Promise<void> {
  if (place.secrecy === 'readOnly') return;
  const through = place.path.filter((name) => !/^\d+$/.test(name));
  const whole = random.pick([place.path, through]);
  const asked = encodeURIComponent(whole.slice(0, 1 + random.below(whole.length)).join('.'));
  const full = encodeURIComponent(whole.join('.'));
  for (const query of [
    `${asked}=x`,
    `${full}[$gt]=a`,
    `$sort[${asked}]=1`,
    // A list of which something is seen may be selected; what is hidden in it is left out.
    ...(/^\d+$/.test(place.path.at(-1) ?? '') ? [] : [`$select[]=${full}`]),
    `$or[0][${full}]=x`,
    `$and[0][$or][0][${full}]=x`,
  ]) {
    const { status, text } = await world.send('GET', `/${path}?${query}`);
    notes.took(`question ${String(status)}`);
    if (status !== 400) notes.violation(`?${query} is ${String(status)}, for ${place.path.join('.')}: ${text}`);
  }
}

/** What may not be set is refused under each of its names, and is what it was whatever was sent. */
export async function write(
  world: World,
  stored: Stored,
  shape: GeneratedShape,
  place: MarkedPlace,
  random: Random,
  notes: Notes,
): Promise<void> {
  const { path, id } = stored;
  const dotted = place.path.join('.');
  const through = place.path.filter((name) => !/^\d+$/.test(name)).join('.');
  const all = place.path.map((name) => (/^\d+$/.test(name) ? random.pick(['$[]', '$', name]) : name)).join('.');
  const value = valueAt(shape.record, place.path) ?? 'x';
  const nested = nestedData(place.path, value);
  const name = random.pick([dotted, through, all]);
  const kept = place.secrecy === 'writeOnly';
  const forbidden: [string, unknown][] = kept
    ? [['array', [nested]]]
    : [
        ['nested', nested],
        ['$set', { $set: { [name]: value } }],
        ['$unset', { $unset: { [name]: '' } }],
        ['$rename', { $rename: { [name]: 'elsewhere' } }],
        ['$push', { $push: { [name]: { $each: [value] } } }],
        ['array', [nested]],
      ];
  if (place.path.length > 1) forbidden.push(['dotted', { [dotted]: value }]);
  for (const [form, data] of forbidden)
    for (const method of form === 'nested' ? ['PATCH', 'PUT', 'POST'] : ['PATCH', random.pick(['PUT', 'POST'])]) {
      if (form === 'array' && method === 'POST') continue;
      const { status, text } = await world.send(method, method === 'POST' ? `/${path}` : `/${path}/${id}`, data);
      notes.took(`write ${form} ${String(status)}`);
      if (status < 400 || status >= 500)
        notes.violation(`${method} ${form} of ${place.secrecy} ${dotted} is ${String(status)}: ${JSON.stringify(data)} ${text}`);
    }
  await same(stored, shape, place, 'a refused write', notes);
}

/** Unknown properties are refused where the shape is closed. */
export async function writeUnknown(
  world: World,
  { path, id }: Stored,
  { constructs, record }: GeneratedShape,
  notes: Notes,
): Promise<void> {
  if (constructs.has('additionalProperties') || constructs.has('unevaluatedProperties')) return;
  const inner = Object.keys(record).find((name) => typeof record[name] === 'object' && !Array.isArray(record[name]));
  const changes = [
    { unknown: 1 },
    { 'unknown.a': 1 },
    { $set: { unknown: 1 } },
    ...(inner === undefined ? [] : [{ [inner]: { unknown: 1 } }]),
  ];
  for (const data of changes) {
    const { status } = await world.send('PATCH', `/${path}/${id}`, data);
    notes.took(`unknown ${String(status)}`);
    if (status !== 400) notes.violation(`unknown ${JSON.stringify(data)} is ${String(status)}`);
  }
}

/** Writes of what may be set take nothing away that may not. */
export async function writeAround(world: World, stored: Stored, shape: GeneratedShape, notes: Notes): Promise<void> {
  const clean = cleanOf(
    shape.record,
    shape.places.filter(({ secrecy }) => secrecy !== 'writeOnly'),
  );
  const writes: [string, unknown][] = Object.keys(clean).map((name) => ['PATCH', { [name]: clean[name] }]);
  if (stored.kind === 'docdb') writes.push(['PUT', clean], ['PUT', {}]);
  for (const [method, data] of writes) {
    const { status, text } = await world.send(method, `/${stored.path}/${stored.id}`, data);
    notes.took(`around ${method} ${String(status)}`);
    if (status >= 500) notes.violation(`${method} ${JSON.stringify(data)} is ${String(status)}: ${text}`);
    for (const place of shape.places)
      if (place.secrecy !== 'writeOnly') await same(stored, shape, place, `${method} ${JSON.stringify(data)}`, notes);
    await stored.restore();
  }
}

async function same(stored: Stored, { record }: GeneratedShape, { path }: MarkedPlace, after: string, notes: Notes): Promise<void> {
  const [now, before] = [valueAt(plain(await stored.read()), path), valueAt(record, path)];
  if (JSON.stringify(now) !== JSON.stringify(before))
    notes.violation(`${path.join('.')} is ${JSON.stringify(now)} and was ${JSON.stringify(before)} after ${after} (${stored.kind})`);
}

/** Maps, sets and objects of classes as what they hold. */
function plain(value: unknown): unknown {
  if (value instanceof Map) return plain(Object.fromEntries(value));
  if (value instanceof Set) return plain([...value]);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]));
}

function cleanOf(record: Record<string, unknown>, places: readonly MarkedPlace[]): Record<string, unknown> {
  const clean = structuredClone(record);
  for (const { path, secrecy } of places) if (secrecy !== 'writeOnly') removeAt(clean, path);
  return clean;
}

function nestedData(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>(
    (inner, name) => (/^\d+$/.test(name) ? [...Array<null>(Number(name)).fill(null), inner] : { [name]: inner }),
    value,
  );
}

function valueAt(record: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], record);
}

/** An element that is taken away would move the others, so that its list goes as a whole. */
function removeAt(record: unknown, path: readonly string[]): void {
  const at = path.findIndex((name, index) => /^\d+$/.test(name) && index === path.length - 1);
  const place = at < 0 ? path : path.slice(0, at);
  const parent = valueAt(record, place.slice(0, -1));
  const name = place.at(-1) ?? '';
  if (Array.isArray(parent)) removeAt(record, place);
  else if (typeof parent === 'object' && parent !== null) Reflect.deleteProperty(parent, name);
}
