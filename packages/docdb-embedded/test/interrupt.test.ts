import { describe, expect, it } from '@jest/globals';
import { interruptible, made, perDocument } from '../src/interrupt.ts';

const MEBIBYTE = 1024 * 1024;
/** Makes lists that take so many mebibytes together. */
function make(mebibytes: number): void {
  for (let count = 0; count < mebibytes; count++) made(MEBIBYTE / 8);
}
const within = (work: () => void): unknown => {
  try {
    interruptible(() => undefined, work);
    return 'made';
  } catch (error) {
    return (error as { code: unknown }).code;
  }
};

describe('what is made between two turns', () => {
  it.each<[string, number, number, unknown]>([
    ['many large documents that are shown', 500, 30, 'made'],
    ['one document that has much', 1, 1000, 'made'],
    ['one document that has too much', 1, 1100, 146],
    ['documents that have too much together', 3, 500, 146],
  ])('is bounded: %s', (_what, documents, mebibytes, end) => {
    const work = (): void => {
      for (let at = 0; at < documents; at++)
        perDocument(() => {
          make(mebibytes);
        });
    };
    expect(within(work)).toBe(end);
  });

  it('is bounded where it is made of no single document', () => {
    const work = (): void => {
      make(1100);
    };
    expect(within(work)).toBe(146);
  });
});
