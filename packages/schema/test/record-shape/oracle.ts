import { inspect } from 'node:util';
import { Random } from '@framework-internal/testing';
import { SECRET, ShapeGenerator, type GeneratedShape, type MarkedPlace } from '@framework-internal/testing/shapes';
import { RecordShape, type ShapeRules } from '../../src/record-shape/record-shape.ts';
import type { Viewer } from '@framework/core';

/** What was tried, and what got through. */
export interface Findings {
  readonly violations: string[];
  readonly constructs: Map<string, number>;
  readonly secrecies: Map<string, number>;
  readonly depths: Map<number, number>;
  secrets: number;
  writes: number;
  queries: number;
}

const CALLER: Viewer = { params: { provider: 'rest' } };

/** Makes its own JSON, as the documents of a database library do. */
class Document {
  readonly #fields: object;

  constructor(fields: object) {
    this.#fields = fields;
    Object.assign(this, fields);
  }

  toJSON(): object {
    return this.#fields;
  }
}

/**
 * Generates shapes, and looks for everything that gets out or in against them.
 *
 * @param rules rules that hold; a mutation leaves one out
 * @param most violations to look for. Default: all
 */
export function search(seed: number, count: number, rules: ShapeRules, most = Infinity): Findings {
  const random = new Random(seed);
  const generator = new ShapeGenerator(random);
  const found: Findings = {
    violations: [],
    constructs: new Map(),
    secrecies: new Map(),
    depths: new Map(),
    secrets: 0,
    writes: 0,
    queries: 0,
  };
  for (let round = 0; round < count && found.violations.length < most; round++) {
    const generated = generator.next();
    tally(found, generated);
    const told = (text: string): void => void found.violations.push(`seed ${String(seed)}, shape ${String(round)}: ${text}`);
    const shape = new RecordShape(generated.schema, { rules });
    seeRecord(shape, generated, random, found, told);
    seeForeign(shape, generator.next(), rules, told);
    for (const place of generated.places) {
      ask(shape, place, found, told);
      write(shape, generated, place, random, found, told);
    }
    writeUnknown(shape, generated, found, told);
    writeClean(shape, generated, told);
  }
  return found;
}

function tally(found: Findings, { constructs, places, depth }: GeneratedShape): void {
  for (const name of constructs) found.constructs.set(name, (found.constructs.get(name) ?? 0) + 1);
  for (const { secrecy } of places) found.secrecies.set(secrecy, (found.secrecies.get(secrecy) ?? 0) + 1);
  found.depths.set(depth, (found.depths.get(depth) ?? 0) + 1);
}

/** Nothing secret in what is shown, everything else in it, and the record as it was. */
function seeRecord(
  shape: RecordShape,
  { record, visible }: GeneratedShape,
  random: Random,
  found: Findings,
  told: (text: string) => void,
): void {
  const given = dressed(record, random);
  const before = textOf(given);
  found.secrets += before.split(SECRET).length - 1;
  const shown = textOf(shape.redact(given, CALLER));
  if (shown.includes(SECRET)) told(`shows ${shown}`);
  for (const text of visible) if (!shown.includes(text)) told(`does not show ${text} in ${shown}`);
  if (textOf(given) !== before) told('changes the record');
  if (shape.redact(given, 'internal') !== given) told('keeps something from the server');
}

/** A record of another service, where nothing describes it. */
function seeForeign(shape: RecordShape, other: GeneratedShape, rules: ShapeRules, told: (text: string) => void): void {
  const foreign = new RecordShape(other.schema, { rules });
  foreign.remember(other.record);
  const shown = textOf(shape.redact({ undescribed: { list: [other.record] } }, CALLER));
  if (shown.includes(SECRET)) told(`shows of another service ${shown}`);
}

/** Neither a secret nor anything that holds one can be asked about. */
function ask(shape: RecordShape, { secrecy, path }: MarkedPlace, found: Findings, told: (text: string) => void): void {
  if (secrecy === 'readOnly') return;
  const through = path.filter((name) => !/^\d+$/.test(name));
  for (const asked of [path, through])
    for (let length = 1; length <= asked.length; length++) {
      found.queries += 1;
      const rules = shape.property(asked.slice(0, length), CALLER);
      if (rules?.queryable) told(`can be asked about ${asked.slice(0, length).join('.')}, which has ${path.join('.')}`);
    }
}

/** What may not be set is refused under each of its names. */
function write(
  shape: RecordShape,
  { record }: GeneratedShape,
  { secrecy, path }: MarkedPlace,
  random: Random,
  found: Findings,
  told: (text: string) => void,
): void {
  const dotted = path.join('.');
  const all = path.map((name) => (/^\d+$/.test(name) ? random.pick(['$[]', '$', '$[some]', name]) : name)).join('.');
  const through = path.filter((name) => !/^\d+$/.test(name)).join('.');
  const value = valueAt(record, path) ?? 'x';
  const nested = nestedData(path, value);
  if (secrecy === 'writeOnly') {
    const problems = shape.refused(nested, 'create', CALLER);
    if (problems.some((problem) => problem.path === dotted)) told(`refuses ${dotted}, which callers write`);
    return;
  }
  const changes: unknown[] = [nested, ...(path.length > 1 ? [{ [dotted]: value }] : [])];
  for (const name of [dotted, all, through])
    changes.push(
      { $set: { [name]: value } },
      { $push: { [name]: { $each: [value] } } },
      { $rename: { [name]: 'elsewhere' } },
      { $unset: { [name]: '' } },
    );
  const [head = ''] = path;
  changes.push({ $unset: { [head]: '' } }, { $rename: { elsewhere: dotted } });
  for (const change of changes) {
    found.writes += 1;
    for (const operation of ['create', 'update', 'patch'] as const)
      if (shape.refused(change, operation, CALLER).length === 0) told(`${operation} takes ${secrecy} ${JSON.stringify(change)}`);
  }
}

function writeUnknown(shape: RecordShape, { record, constructs }: GeneratedShape, found: Findings, told: (text: string) => void): void {
  if (constructs.has('additionalProperties') || constructs.has('unevaluatedProperties')) return;
  const names = Object.keys(record);
  const [inner = ''] = names.filter((name) => typeof record[name] === 'object' && !Array.isArray(record[name]));
  const changes: unknown[] = [
    { unknown: 1 },
    { 'unknown.a': 1 },
    { $set: { unknown: 1 } },
    { $inc: { [`${names[0] ?? ''}.unknown.a`]: 1 } },
  ];
  if (inner !== '') changes.push({ [inner]: { unknown: 1 } }, { $set: { [`${inner}.unknown`]: 1 } });
  for (const change of changes) {
    found.writes += 1;
    if (shape.refused(change, 'patch', CALLER).length === 0) told(`takes unknown ${JSON.stringify(change)}`);
  }
}

/** A record without what callers can not set is taken whole. */
function writeClean(shape: RecordShape, { record, places }: GeneratedShape, told: (text: string) => void): void {
  const clean = structuredClone(record);
  for (const { path, secrecy } of places) if (secrecy !== 'writeOnly') removeAt(clean, path);
  const problems = shape.refused(clean, 'create', CALLER);
  if (problems.length > 0) told(`refuses what may be set: ${JSON.stringify(problems)} of ${JSON.stringify(clean)}`);
}

function nestedData(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>(
    (inner, name) => (/^\d+$/.test(name) ? [...Array<null>(Number(name)).fill(null), inner] : { [name]: inner }),
    value,
  );
}

function valueAt(record: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], record);
}

function removeAt(record: unknown, path: readonly string[]): void {
  const parent = valueAt(record, path.slice(0, -1));
  const name = path.at(-1) ?? '';
  // An element that is taken away would move the others.
  if (Array.isArray(parent)) return void removeElement(record, path);
  if (typeof parent === 'object' && parent !== null) Reflect.deleteProperty(parent, name);
}

function removeElement(record: unknown, path: readonly string[]): void {
  const list = path.slice(0, -1);
  const name = list.at(-1) ?? '';
  if (/^\d+$/.test(name)) return removeElement(record, list);
  const parent = valueAt(record, list.slice(0, -1));
  if (typeof parent === 'object' && parent !== null) Reflect.deleteProperty(parent, name);
}

/** The same record, with objects of other kinds in it. */
function dressed(value: unknown, random: Random, top = true): unknown {
  if (Array.isArray(value)) {
    const list = value.map((entry) => dressed(entry, random, false));
    return list.length === 1 && random.oneIn(6) ? new Set(list) : list;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]): [string, unknown] => [name, dressed(inner, random, false)]);
  if (!top && random.oneIn(8)) return new Map(entries);
  const copy = Object.fromEntries(entries);
  return random.oneIn(8) ? new Document(copy) : copy;
}

/** All that can be seen of a value, also of maps and sets, and of what makes its own JSON. */
function textOf(value: unknown): string {
  return `${inspect(value, { depth: Infinity, maxStringLength: Infinity, maxArrayLength: Infinity, breakLength: Infinity })} ${JSON.stringify(value)}`;
}
