import { setImmediate as turn } from 'node:timers/promises';
import { Random, Variety } from '@framework-internal/testing';
import { describe, expect, it } from '@jest/globals';
import formats from 'ajv-formats';
import { addFormats, Ajv, createAjv, getValidator, Type } from '../../src/index.ts';

const SEED = Number(process.env.URL_SEED ?? 20_261_128);
const RUNS = Number(process.env.URL_RUNS ?? 8000);

/** What validators take for the format, which is a pattern. */
const { get } = formats as unknown as { get(name: string): RegExp };
const PARTS = [
  'a',
  'bc',
  'é',
  'Z',
  '1',
  '10',
  '127',
  '169.254',
  '172.16',
  '192.168',
  '0',
  '05',
  '223',
  '224',
  '254',
  '255',
  '-',
  '.',
  '.',
  ':',
  ':80',
  '@',
  '/',
  ' ',
];

const validator = (ajv: Ajv): ((x: unknown) => Promise<unknown>) => {
  const validate = getValidator(Type.Object({ x: Type.String({ format: 'url' }) }), ajv);
  return (x) =>
    validate({ x }).then(
      () => true,
      () => false,
    );
};

describe('the format url', () => {
  it('takes what its pattern takes', async () => {
    const random = new Random(SEED);
    const variety = new Variety();
    const takes = validator(createAjv());
    const pattern = get('url');
    for (let run = 0; run < RUNS; run++) {
      const numbers = Array.from({ length: 4 }, () =>
        random.pick(['0', '1', '05', '10', '099', '100', '172', '192', '168', '31', '223', '254', '255', '256']),
      );
      const start =
        random.pick(['http://', 'https://', 'FTP://', 'ftp:/', '']) + random.pick(['', '', numbers.join('.'), 'a.bc', 'a@', 'x:y@']);
      const text =
        start + Array.from({ length: random.below(6) }, () => random.pick(PARTS)).join('') + random.pick(['', '.bc', 'a.bc:80', '@a.bc/']);
      expect([SEED, text, await takes(text)]).toEqual([SEED, text, pattern.test(text)]);
      variety.tried(text);
      variety.took(pattern.test(text) ? 'taken' : 'refused');
    }
    console.log(variety.report('addresses', SEED));
    variety.expect(RUNS / 2, { taken: RUNS / 20, refused: RUNS / 4 });
  });

  it.each([
    ['of createAjv()', (): Ajv => createAjv()],
    ['of addFormats()', (): Ajv => addFormats(new Ajv())],
  ])('tells a long text that is none in the time of the test: %s', async (_title, make) => {
    const takes = validator(make());
    // Behind a turn of the event loop, so that the runner sees how long it took.
    for (const inside of [':', '::', '@', 'a@', 'a.b/@', 'a.', 'a-', '1.'])
      for (const end of ['', ' ', '!']) {
        expect(await takes(`http://a:${inside.repeat(30_000 / inside.length)}${end}`)).toBe(false);
        await turn();
      }
  });
});
