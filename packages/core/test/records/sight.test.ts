import { describe, expect, it } from '@jest/globals';
import { Sight } from '../../src/records/sight.ts';
import type { FieldRule, Marks } from '../../src/records/place.ts';

const marks = (rule: unknown): Marks => ({
  hidden: false,
  sealed: false,
  writeOnly: false,
  readOnly: false,
  readable: [rule as FieldRule],
  writable: [rule as FieldRule],
});

describe('a rule by role', () => {
  it.each<[string, () => unknown, boolean]>([
    ['agrees by true', () => true, true],
    ['does not agree by what is only like true', () => 1, false],
    ['does not agree when it throws', () => JSON.parse('{'), false],
    ['does not agree later', async () => true, false],
    ['does not agree by something that is like a promise', () => ({ then: () => undefined }), false],
  ])('%s', (_title, rule, agreed) => {
    const sight = new Sight({ params: {} });
    expect([sight.sees(marks(rule)), sight.sets(marks(rule))]).toEqual([agreed, agreed]);
  });

  it('that fails later does not agree, and ends nothing', async () => {
    const failed: unknown[] = [];
    const note = (error: unknown): void => void failed.push(error);
    process.on('unhandledRejection', note);
    try {
      const sight = new Sight({ params: {} });
      const later = async ({ user }: { readonly user?: { readonly role: string } }): Promise<boolean> => user!.role === 'admin';
      const hostile = { then: (_resolve: unknown, reject: (error: Error) => void): void => reject(new Error('not this one')) };
      for (const rule of [later, () => hostile]) expect([sight.sees(marks(rule)), sight.sets(marks(rule))]).toEqual([false, false]);
      // An unhandled rejection is told once the microtasks have run.
      await new Promise((resolve) => setImmediate(resolve));
      expect(failed).toEqual([]);
    } finally {
      process.off('unhandledRejection', note);
    }
  });

  it('is asked once for one piece of work', () => {
    let asked = 0;
    const sight = new Sight({ params: {} });
    const rule = (): boolean => (asked += 1) > 0;
    expect([sight.sees(marks(rule)), sight.sees(marks(rule)), asked]).toEqual([true, true, 1]);
  });
});
