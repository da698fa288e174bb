import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ALL_SHAPE_RULES, type ShapeRules } from '../../../packages/schema/src/record-shape/record-shape.ts';
import { search } from './record-oracle/search.ts';
import { World, type Holds } from './record-oracle/world.ts';

const SEED = Number(process.env.SHAPE_SEED ?? 20_261_122);
/** 10,000 by command: `SHAPES=10000`. */
const SHAPES = Number(process.env.SHAPES ?? 20);

const { redact, write, followed } = ALL_SHAPE_RULES;
const ALL: Holds = { rules: ALL_SHAPE_RULES, outer: true, input: true, keeps: true };
const withRules = (rules: Partial<ShapeRules>): Holds => ({ ...ALL, rules: { ...ALL_SHAPE_RULES, ...rules } });

/** Everything but one thing. */
const MUTATIONS: readonly (readonly [string, Holds])[] = [
  ...(['hidden', 'writeOnly', 'readable', 'lists', 'json', 'origins'] as const).map(
    (rule) => [`redact ${rule}`, withRules({ redact: { ...redact, [rule]: false } })] as const,
  ),
  ...(['readOnly', 'hiddenWrites', 'writable', 'unknown', 'nested', 'dotted', 'operators'] as const).map(
    (rule) => [`write ${rule}`, withRules({ write: { ...write, [rule]: false } })] as const,
  ),
  ...['allOf', 'anyOf', '$ref'].map(
    (keyword) => [`follow ${keyword}`, withRules({ followed: followed.filter((name) => name !== keyword) })] as const,
  ),
  ['the outermost hooks', { ...ALL, outer: false }],
  ['the checks of what comes in', { ...ALL, input: false }],
  ['what is kept', { ...ALL, keeps: false }],
];

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

describe(`records of generated shapes over REST, seed ${String(SEED)}`, () => {
  it('S7 S10 S34 nothing leaves or comes in that must not, by any way', async () => {
    const { violations, variety } = await search(world, SEED, SHAPES, ALL);
    console.info(variety.report('record oracle', SEED));
    expect(violations).toEqual([]);
    const [some, few] = [Math.floor(SHAPES / 4), Math.floor(SHAPES / 20)];
    const constructs = [
      'allOf',
      'anyOf',
      'oneOf',
      'if',
      'patternProperties',
      'additionalProperties',
      'items',
      'prefixItems',
      '$ref',
      'recursion',
    ];
    variety.expect(Math.floor(SHAPES * 0.9), {
      memory: some,
      docdb: some,
      hidden: some,
      writeOnly: some,
      readOnly: some,
      role: some,
      'level 6': few,
      ...Object.fromEntries(constructs.map((name) => [name, few])),
      'login 201': SHAPES,
      'get 200': SHAPES,
      'create 201': some,
      'error 400': SHAPES,
      'question 400': SHAPES,
      'around PATCH 200': some,
      'around PUT 200': few,
    });
  }, 36_000_000);

  it.each(MUTATIONS)(
    'fails without %s',
    async (_name, holds) => {
      expect((await search(world, SEED, 200, holds, 1)).violations).not.toEqual([]);
    },
    600_000,
  );

  it('has at least twelve things to leave out', () => {
    expect(MUTATIONS.length).toBeGreaterThanOrEqual(12);
  });
});
