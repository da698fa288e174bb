import { describe, expect, it } from '@jest/globals';
import { ALL_SHAPE_RULES, type ShapeRules } from '../../src/record-shape/record-shape.ts';
import { search, type Findings } from './oracle.ts';

const SEED = Number(process.env.SHAPE_SEED ?? 20_261_121);
/** 10,000 by command: `SHAPES=10000`. */
const SHAPES = Number(process.env.SHAPES ?? 200);

const CONSTRUCTS = [
  ...['properties', 'allOf', 'anyOf', 'oneOf', 'if', 'dependentSchemas', 'patternProperties', 'additionalProperties'],
  ...['unevaluatedProperties', 'items', 'list of items', 'prefixItems', 'nullable', '$ref', 'recursion', 'not'],
  ...['marked in a union', 'marked in an intersection', 'marked in a definition'],
];

const { redact, write, followed } = ALL_SHAPE_RULES;
const without = (keyword: string): ShapeRules => ({ redact, write, followed: followed.filter((name) => name !== keyword) });

/** All rules but one. */
const MUTATIONS: readonly (readonly [string, ShapeRules])[] = [
  ...(['hidden', 'writeOnly', 'readable', 'lists', 'collections', 'json', 'origins'] as const).map(
    (rule) => [`redact ${rule}`, { redact: { ...redact, [rule]: false }, write, followed }] as const,
  ),
  ...(['readOnly', 'hiddenWrites', 'writable', 'unknown', 'nested', 'dotted', 'operators'] as const).map(
    (rule) => [`write ${rule}`, { redact, write: { ...write, [rule]: false }, followed }] as const,
  ),
  ...['allOf', 'anyOf', 'oneOf', 'then', 'dependentSchemas', '$ref'].map((keyword) => [`follow ${keyword}`, without(keyword)] as const),
];

const counts = (numbers: ReadonlyMap<unknown, number>): string =>
  [...numbers].map(([name, count]) => `${String(name)} ${String(count)}`).join(', ');

function summary(found: Findings): string {
  return [
    `seed ${String(SEED)}, ${String(SHAPES)} shapes, ${String(found.secrets)} secrets, ${String(found.writes)} writes, ${String(found.queries)} questions`,
    `constructs: ${counts(found.constructs)}`,
    `marks: ${counts(found.secrecies)}; levels: ${counts(found.depths)}`,
  ].join('\n');
}

describe(`generated records, seed ${String(SEED)}`, () => {
  it('S7 S10 nothing that is kept from callers is shown, asked about or set, and nothing else is kept from them', () => {
    const found = search(SEED, SHAPES, ALL_SHAPE_RULES);
    console.info(summary(found));
    expect(found.violations).toEqual([]);
    // They were varied enough to mean something.
    for (const construct of CONSTRUCTS)
      expect([construct, (found.constructs.get(construct) ?? 0) > SHAPES / 100]).toEqual([construct, true]);
    for (const secrecy of ['hidden', 'writeOnly', 'readOnly', 'role'])
      expect([secrecy, (found.secrecies.get(secrecy) ?? 0) > SHAPES / 10]).toEqual([secrecy, true]);
    expect([...found.depths.keys()].sort()).toEqual([2, 3, 4, 5, 6]);
    expect(found.secrets).toBeGreaterThan(SHAPES);
    expect(found.writes).toBeGreaterThan(10 * SHAPES);
  }, 3_600_000);

  it.each(MUTATIONS)('fails without the rule: %s', (_name, rules) => {
    expect(search(SEED, 200, rules, 1).violations).not.toEqual([]);
  });

  it('has at least twelve rules to leave out', () => {
    expect(MUTATIONS.length).toBeGreaterThanOrEqual(12);
  });
});
