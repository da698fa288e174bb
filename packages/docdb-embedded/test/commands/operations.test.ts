import { beforeEach, describe, expect, it } from '@jest/globals';
import { Operation } from '../../src/commands/operation.ts';
import { Operations } from '../../src/commands/operations.ts';

/** What is asked on a connection. */
const asked = (connection: number, operation: Operation): Parameters<Operations['begin']>[0] => ({
  connection: { id: connection, remote: '127.0.0.1:1', client: undefined },
  owner: '',
  session: undefined,
  command: { insert: 'items', documents: [] },
  ns: 'test.items',
  operation,
});

/** Waits until the clock has another time than before. */
function later(): number {
  const before = performance.now();
  for (;;) {
    const now = performance.now();
    if (now > before) return now;
  }
}

describe('who works alone', () => {
  let operations: Operations;
  let own: Operation;

  beforeEach(() => {
    operations = new Operations();
    own = new Operation();
  });

  it('is who has asked for everything that was asked for', () => {
    operations.end(operations.begin(asked(1, new Operation())));
    const since = later();
    operations.begin(asked(1, own));
    expect(operations.isAlone(own, since)).toBe(true);
  });

  it('is nobody at first, when it is not known yet who else is there', () => {
    const since = later();
    operations.begin(asked(1, own));
    expect(operations.isAlone(own, since)).toBe(false);
  });

  it('is nobody while others ask, whether they have their answer or not', () => {
    operations.begin(asked(1, own));
    const since = later();
    operations.end(operations.begin(asked(2, new Operation())));
    expect(operations.isAlone(own, since)).toBe(false);
    operations.end(operations.begin(asked(1, new Operation())));
    expect(operations.isAlone(own, since)).toBe(false);
    expect(operations.isAlone(own, later())).toBe(true);
  });

  it('is nobody while others work on what they were asked before, and who works is alone where others only wait', () => {
    const other = new Operation();
    operations.begin(asked(2, other));
    operations.begin(asked(1, own));
    own.resume();
    const since = later();
    expect(operations.isAlone(own, since)).toBe(true);
    other.resume();
    expect(operations.isAlone(own, since)).toBe(false);
    expect(operations.isAlone(other, since)).toBe(true);
  });
});
