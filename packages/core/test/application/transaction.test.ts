import { describe, expect, it } from '@jest/globals';
import { allOrNothing } from '../../src/application/transaction.ts';

const step = (log: string[], name: string) => () => {
  log.push(`do ${name}`);
  return () => void log.push(`undo ${name}`);
};

describe('allOrNothing', () => {
  it('does the steps in order, and takes all back in the other order, once', () => {
    const log: string[] = [];
    const undo = allOrNothing([step(log, 'a'), step(log, 'b')]);
    expect(log).toEqual(['do a', 'do b']);
    undo();
    undo();
    expect(log).toEqual(['do a', 'do b', 'undo b', 'undo a']);
  });

  it('takes back what was done when a step throws', () => {
    const log: string[] = [];
    const failing = (): never => {
      throw new Error('c');
    };
    expect(() => allOrNothing([step(log, 'a'), step(log, 'b'), failing, step(log, 'd')])).toThrow('c');
    expect(log).toEqual(['do a', 'do b', 'undo b', 'undo a']);
  });
});
