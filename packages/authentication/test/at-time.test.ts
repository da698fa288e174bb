import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { atTime } from '../src/at-time.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A timer takes no more. */
const LONGEST_TIMER = 2 ** 31 - 1;

describe('atTime', () => {
  /** The clock, which is changed by hand, and the stopwatch of timers, which goes on. */
  let [clock, watch] = [0, 0];
  const timers = new Map<object, { readonly ring: () => void; readonly at: number }>();
  const spies: { mockRestore(): void }[] = [];

  beforeEach(() => {
    [clock, watch] = [Date.UTC(2030, 0, 1), 0];
    timers.clear();
    spies.push(
      jest.spyOn(Date, 'now').mockImplementation(() => clock),
      jest.spyOn(globalThis, 'setTimeout').mockImplementation(((ring: () => void, delay: number) => {
        const timer = { unref: () => undefined };
        timers.set(timer, { ring, at: watch + (delay > LONGEST_TIMER ? 1 : delay) });
        return timer;
      }) as never),
      jest.spyOn(globalThis, 'clearTimeout').mockImplementation(((timer: object) => void timers.delete(timer)) as never),
    );
  });
  afterEach(() => {
    for (const spy of spies.splice(0)) spy.mockRestore();
  });

  /** Lets time pass, and timers ring in their order. */
  function pass(milliseconds: number): void {
    const end = watch + milliseconds;
    const go = (to: number): void => {
      clock += to - watch;
      watch = to;
    };
    for (;;) {
      const [next] = [...timers].filter(([, { at }]) => at <= end).sort(([, a], [, b]) => a.at - b.at);
      if (!next) return go(end);
      timers.delete(next[0]);
      go(next[1].at);
      next[1].ring();
    }
  }

  it.each([
    ['an hour', HOUR],
    ['more than a timer takes', LONGEST_TIMER + 5],
  ])('calls once in %s, and not before', (_, milliseconds) => {
    const reached = jest.fn();
    atTime(clock + milliseconds, reached);
    pass(milliseconds - 1);
    expect(reached).not.toHaveBeenCalled();
    pass(1);
    expect(reached).toHaveBeenCalledTimes(1);
    expect(timers.size).toBe(0);
  });

  it('calls within a minute when the clock is put forward, as by a machine that slept', () => {
    const reached = jest.fn();
    atTime(clock + HOUR, reached);
    clock += DAY;
    pass(MINUTE);
    expect(reached).toHaveBeenCalledTimes(1);
  });

  it('waits for its time when the clock is put back', () => {
    const reached = jest.fn();
    atTime(clock + HOUR, reached);
    clock -= DAY;
    pass(DAY + HOUR - 1);
    expect(reached).not.toHaveBeenCalled();
    pass(1);
    expect(reached).toHaveBeenCalledTimes(1);
  });

  it('calls with the next turn for a time that has passed, and never for none, or once it is taken back', () => {
    const [passed, never, taken] = [jest.fn(), jest.fn(), jest.fn()];
    atTime(clock - HOUR, passed);
    atTime(Infinity, never);
    const takeBack = atTime(clock + HOUR, taken);
    expect(passed).not.toHaveBeenCalled();
    pass(MINUTE);
    takeBack();
    pass(DAY);
    expect([passed, never, taken].map((listener) => listener.mock.calls.length)).toEqual([1, 0, 0]);
  });
});
