import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { ObjectId } from 'mongodb';
import { createAjv, getValidator, type JSONSchema } from '../../src/index.ts';

const list = (items: JSONSchema = {}, more: JSONSchema = {}): JSONSchema => ({ type: 'array', uniqueItems: true, items, ...more });
const problemsOf = async (schema: JSONSchema, value: unknown): Promise<unknown> =>
  getValidator(schema)(value).then(
    () => 'taken',
    (error: unknown) => (error as { errors: unknown }).errors,
  );

class Named {
  readonly #name: string;
  constructor(name: string) {
    this.#name = name;
  }
  toString(): string {
    return this.#name;
  }
}
class Plain {}

describe('elements that have to differ', () => {
  const at = (time: number): Date => new Date(time);
  const id = (end: string): ObjectId => new ObjectId(`65f0c0ffee0123456789abc${end}`);
  const parsed = (json: string): unknown => JSON.parse(json);

  it.each<[boolean, unknown[]]>([
    [true, []],
    [true, [null]],
    [true, [1, '1', true, 'true', null, 'null', [1], ['1'], {}, [], '', 0, false, '[]', '{}', '[1]']],
    [true, [[1, 2], [2, 1], [1, [2]], [[1], 2], ['1,2'], [1, 2, 3], [[1, 2]]]],
    [true, [{ a: 1 }, { a: 2 }, { b: 1 }, { a: 1, b: 1 }, { a: { b: 1 } }, { a: '1' }, { a: [1] }, { 'a,"b"': 1 }, { 'a:1,b': 1 }]],
    [true, [at(0), at(1), '1970-01-01T00:00:00.000Z', 0]],
    [true, [id('a'), id('b'), '65f0c0ffee0123456789abca']],
    [true, [parsed('{"constructor":1}'), parsed('{"toString":1,"valueOf":2}'), parsed('{"__proto__":1}'), {}]],
    [true, ['a,b', 'a', 'b', 'a","b']],
    [true, ['5', 5, 'number 5', 'boolean true', true, 'undefined undefined', undefined]],
    [true, [[], {}, { 0: 1 }, [1], { length: 0 }]],
    [true, [new Named('a'), new Named('b'), 'Named a', 'a']],
    [true, [new Plain(), {}]],
    [false, [new Named('a'), new Named('a')]],
    [false, [new Plain(), new Plain()]],
    [false, [1, 2, 1]],
    [false, [0, -0]],
    [false, ['a', 'b', 'a']],
    [false, [null, null]],
    [
      false,
      [
        { a: 1, b: [{ c: 2, d: 3 }] },
        { b: [{ d: 3, c: 2 }], a: 1 },
      ],
    ],
    [
      false,
      [
        [1, { a: 2 }],
        [1, { a: 2 }],
      ],
    ],
    [false, [at(5), at(5)]],
    [false, [id('a'), id('a')]],
    [false, [{}, Object.create(null)]],
    [false, [parsed('{"__proto__":1}'), parsed('{"__proto__":1}')]],
  ])('%s: %j', async (differ, elements) => {
    expect((await problemsOf(list(), elements)) === 'taken').toBe(differ);
    expect(await problemsOf(list({}, { uniqueItems: false }), elements)).toBe('taken');
  });

  it('are told as other validators tell them', async () => {
    const elements = ['x', { a: 1 }, { a: 1 }, 'y'];
    const plain = new Ajv().compile({ type: 'array', uniqueItems: true });
    expect(plain(elements)).toBe(false);
    const [error] = plain.errors ?? [];
    expect(await problemsOf(list(), elements)).toEqual([
      { path: '', keyword: 'uniqueItems', message: `the value ${String(error?.message)}`, params: error?.params },
    ]);
    expect(await problemsOf({ type: 'object', properties: { tags: list({ type: 'integer' }) } }, { tags: ['5', '6', '5'] })).toEqual([
      {
        path: 'tags',
        keyword: 'uniqueItems',
        message: 'tags must NOT have duplicate items (items ## 0 and 2 are identical)',
        params: { i: 2, j: 0 },
      },
    ]);
  });

  it('are what they are after conversion, and only lists have them', async () => {
    expect(await problemsOf(list({ date: true }), ['2020-01-01', '2020-01-01T00:00:00Z'])).toMatchObject([{ keyword: 'uniqueItems' }]);
    expect(await problemsOf({ uniqueItems: true }, 'aa')).toBe('taken');
    expect(await problemsOf({ anyOf: [list(), { type: 'null' }] }, null)).toBe('taken');
    expect(createAjv().validate(list(), [1, 1])).toBe(false);
  });

  it('are each looked at once or twice, however many there are', async () => {
    for (const count of [100, 2000]) {
      let reads = 0;
      const element = (value: number): object => Object.defineProperty({}, 'a', { enumerable: true, get: () => ((reads += 1), value) });
      const elements = Array.from({ length: count }, (_, index) => element(index));
      expect(await problemsOf(list(), elements)).toBe('taken');
      expect(reads).toBeLessThanOrEqual(2 * count);
    }
  });

  it('are refused where they are nested too deeply', async () => {
    const deep = Array.from({ length: 50_000 }).reduce<unknown>((inner) => [inner], []);
    expect(await problemsOf(list(), [deep, 1])).toMatchObject([{ keyword: 'depth', path: '' }]);
  });
});
