import { describe, expect, it } from '@jest/globals';
import { ALL_RELATION_RULES, searchRelations, type RelationRules } from './oracle.ts';

const SEED = Number(process.env.RELATION_SEED ?? 20_261_122);
/** 10,000 by command: `RELATIONS=10000`. */
const APPLICATIONS = Number(process.env.RELATIONS ?? 60);

const { shape, populate } = ALL_RELATION_RULES;

/** All rules but one. */
const MUTATIONS: readonly (readonly [string, RelationRules])[] = [
  ...(['caller', 'dispatch', 'seen', 'exposed', 'quiet'] as const).map(
    (rule) => [`populate ${rule}`, { shape, populate: { ...populate, [rule]: false } }] as const,
  ),
  ...(['hidden', 'writeOnly', 'readable'] as const).map(
    (rule) => [`redact ${rule}`, { shape: { ...shape, redact: { ...shape.redact, [rule]: false } }, populate }] as const,
  ),
];

describe(`generated relations, seed ${String(SEED)}`, () => {
  it('S7 S10 a caller gets of records behind relations what their own services give him, and listeners get nothing of it', async () => {
    const { violations, took, asked } = await searchRelations(SEED, APPLICATIONS, ALL_RELATION_RULES);
    const counts = [...took].map(([name, count]) => `${name}: ${String(count)}`).join(', ');
    console.info(`seed ${String(SEED)}, ${String(APPLICATIONS)} applications, ${String(asked.size)} different questions\n${counts}`);
    expect(violations.slice(0, 3)).toEqual([]);
    // They were varied enough to mean something.
    expect(asked.size).toBeGreaterThan(APPLICATIONS * 5);
    const forms = ['one', 'list', 'inside a list'].flatMap((form) => ['plain', 'hidden', 'role'].map((mark) => `${form}, ${mark}`));
    const methods = ['get', 'find', 'create', 'patch', 'remove'];
    for (const what of [
      ...forms,
      ...methods,
      'admin',
      'nobody',
      'levels 1',
      'levels 2',
      'levels 3',
      'allowed',
      'refused',
      'populated',
      'heard',
    ])
      expect([what, (took.get(what) ?? 0) > APPLICATIONS / 20]).toEqual([what, true]);
  }, 3_600_000);

  it.each(MUTATIONS)('fails without the rule: %s', async (_name, rules) => {
    expect((await searchRelations(SEED, 60, rules, 1)).violations).not.toEqual([]);
  });

  it('has at least six rules to leave out', () => {
    expect(MUTATIONS.length).toBeGreaterThanOrEqual(6);
  });
});
