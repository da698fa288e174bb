import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { KeepingUp } from '../../src/sessions/keeping-up.ts';

interface Timer {
  readonly ring: () => void;
  readonly delay: number;
  cleared: boolean;
  unreferenced: boolean;
}

const spies: { mockRestore(): void }[] = [];
afterEach(() => {
  for (const spy of spies.splice(0)) spy.mockRestore();
});

/** A stopwatch and timers that are moved by hand, and a store that counts its questions. */
function stage(isListened = false) {
  const state = { now: 1000, asked: 0, isListened, error: undefined as Error | undefined, isSlow: false };
  const timers: Timer[] = [];
  const answers: (() => void)[] = [];
  spies.push(
    jest.spyOn(performance, 'now').mockImplementation(() => state.now),
    jest.spyOn(globalThis, 'setTimeout').mockImplementation(((ring: () => void, delay: number) => {
      const timer: Timer & { unref(): void } = {
        ring,
        delay,
        cleared: false,
        unreferenced: false,
        unref: () => void (timer.unreferenced = true),
      };
      timers.push(timer);
      return timer;
    }) as never),
    jest.spyOn(globalThis, 'clearTimeout').mockImplementation(((timer: Timer | undefined) => {
      if (timer) timer.cleared = true;
    }) as never),
  );
  const keeping = new KeepingUp({
    ask: async () => {
      state.asked += 1;
      if (state.isSlow) await new Promise<void>((resolve) => answers.push(resolve));
      if (state.error) throw state.error;
    },
    isListened: () => state.isListened,
  });
  return { state, timers, answers, keeping };
}
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('what ends elsewhere', () => {
  it('is asked for by the first check, and then by none for nine tenths of a second', async () => {
    const { state, keeping } = stage();
    expect(keeping.hasHeard).toBe(false);
    await keeping.check();
    expect([keeping.hasHeard, state.asked]).toEqual([true, 1]);
    state.now += 900;
    await keeping.check();
    expect(state.asked).toBe(1);
    state.now += 1;
    await keeping.check();
    expect(state.asked).toBe(2);
  });

  it('is asked for once by many checks at one time', async () => {
    const { state, keeping, answers } = stage();
    state.isSlow = true;
    const checks = Promise.all([keeping.check(), keeping.check(), keeping.ask()]);
    await settled();
    expect([state.asked, answers.length]).toEqual([1, 1]);
    answers[0]?.();
    await checks;
    expect(state.asked).toBe(1);
  });

  it('is asked for once more where the answer that a check has waited for was of a question from before', async () => {
    const { state, keeping, answers } = stage();
    state.isSlow = true;
    const first = keeping.ask();
    state.now += 1000;
    const check = keeping.check();
    answers[0]?.();
    await first;
    await settled();
    expect(state.asked).toBe(2);
    answers[1]?.();
    await check;
    expect(state.asked).toBe(2);
  });

  it('that can not be asked for fails the check, and is asked for again by the next', async () => {
    const { state, keeping } = stage();
    state.error = new Error('no database');
    await expect(keeping.check()).rejects.toThrow('no database');
    expect(keeping.hasHeard).toBe(false);
    state.error = undefined;
    await keeping.check();
    expect([keeping.hasHeard, state.asked]).toEqual([true, 2]);
  });

  it('is asked for every 0.4 seconds while there are checks, by one timer that keeps no process alive', async () => {
    const { state, keeping, timers } = stage();
    await keeping.check();
    await keeping.check();
    expect(timers).toMatchObject([{ delay: 400, unreferenced: true }]);
    state.now += 400;
    timers[0]?.ring();
    await settled();
    expect([state.asked, timers.length]).toEqual([2, 2]);
    // Ten seconds after the last check it is quiet.
    state.now = 1000 + 10_000;
    timers[1]?.ring();
    await settled();
    expect([state.asked, timers.length]).toEqual([3, 3]);
    state.now += 1;
    timers[2]?.ring();
    await settled();
    expect([state.asked, timers.length]).toEqual([3, 3]);
    await keeping.check();
    expect(timers).toHaveLength(4);
  });

  it('is asked for as long as somebody listens, a store that fails included', async () => {
    const { state, keeping, timers } = stage(true);
    keeping.poll();
    keeping.poll();
    expect(timers).toHaveLength(1);
    state.error = new Error('no database');
    state.now += 1e6;
    timers[0]?.ring();
    await settled();
    expect([state.asked, timers.length]).toEqual([1, 2]);
    state.isListened = false;
    timers[1]?.ring();
    await settled();
    expect([state.asked, timers.length]).toEqual([1, 2]);
  });

  it('is asked for no more after the end, and again where it begins anew', async () => {
    const { keeping, timers } = stage();
    keeping.stop();
    await keeping.check();
    keeping.stop();
    expect(timers).toMatchObject([{ cleared: true }]);
    keeping.poll();
    expect(timers).toMatchObject([{ cleared: true }, { cleared: false }]);
  });

  it('has been heard everywhere after nine tenths of a second', async () => {
    const { keeping, timers } = stage();
    let isOver = false;
    const heard = keeping.heardEverywhere().then(() => (isOver = true));
    await settled();
    expect([isOver, timers.map(({ delay }) => delay)]).toEqual([false, [900]]);
    timers[0]?.ring();
    await heard;
    expect(isOver).toBe(true);
  });
});
