import { describe, expect, it } from '@jest/globals';
import { framework, type Application } from '../../src/index.ts';

/** A promise, and what settles it. */
function promised(): { done: Promise<void>; end: () => void } {
  let end = (): void => undefined;
  const done = new Promise<void>((resolve) => (end = resolve));
  return { done, end };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A service that notes its calls, and does something while it is set up. */
const doing = (log: string[], name: string, work: () => unknown) => ({
  async find(): Promise<string[]> {
    log.push(`find ${name}`);
    return [name];
  },
  async setup(): Promise<void> {
    log.push(`setup ${name}`);
    await work();
    log.push(`ready ${name}`);
  },
});

/** An application that is set up, and services that come late, each with what it does while it is set up. */
async function withLate(worksOf: (app: Application) => Readonly<Record<string, () => unknown>>) {
  const app: Application = framework();
  await app.setup();
  const log: string[] = [];
  const add = (name: string, work: () => unknown): unknown => app.use(name, doing(log, name, work));
  for (const [name, work] of Object.entries(worksOf(app))) add(name, work);
  return { app, log, add };
}

describe('calls in the setup of a service that comes late', () => {
  it('wait for another one that does not wait for it', async () => {
    const slow = promised();
    const { app, log } = await withLate((late) => ({ one: () => late.service('two').find(), two: () => slow.done }));
    const found = app.service('one').find();
    await turn();
    expect(log).toEqual(['setup one', 'setup two']);
    slow.end();
    await found;
    expect(log).toEqual(['setup one', 'setup two', 'ready two', 'find two', 'ready one', 'find one']);
  });

  it('go on where one of several that wait for it would wait for ever', async () => {
    const slow = promised();
    const { app, log } = await withLate((late) => ({
      one: () => Promise.all([late.service('slow').find(), late.service('two').find()]),
      slow: () => slow.done,
      two: () => late.service('one').find(),
    }));
    await app.service('two').find();
    expect(log).not.toContain('ready one');
    slow.end();
    await app.service('one').find();
    expect(log.slice(-3)).toEqual(['find slow', 'ready one', 'find one']);
  });

  it('know their own setup behind that of another one that was added in it', async () => {
    const { app, log, add } = await withLate(() => ({}));
    add('outer', async () => {
      add('inner', () => app.service('outer').find());
      await app.service('inner').find();
      await app.service('outer').find();
    });
    await app.service('outer').find();
    expect(log).toEqual([
      'setup outer',
      'setup inner',
      'find outer',
      'ready inner',
      'find inner',
      'find outer',
      'ready outer',
      'find outer',
    ]);
  });

  it('wait for one that has waited for them before, once that goes on', async () => {
    const [asked, slow] = [promised(), promised()];
    let later: Promise<unknown> = Promise.resolve();
    const { log } = await withLate((late) => ({
      one: async () => {
        await late.service('two').find();
        asked.end();
        await slow.done;
      },
      two: () => {
        later = asked.done.then(() => late.service('one').find());
      },
    }));
    await asked.done;
    await turn();
    expect(log).toEqual(['setup one', 'setup two', 'ready two', 'find two']);
    slow.end();
    await later;
    expect(log.slice(4)).toEqual(['ready one', 'find one']);
  });
});

describe('a service that is derived from what was registered', () => {
  const counting = (log: string[]) => ({
    async find(): Promise<string[]> {
      return [];
    },
    async setup(): Promise<void> {
      log.push('setup');
    },
    async teardown(): Promise<void> {
      log.push('teardown');
    },
  });

  it('begins anew when it is registered again, and is torn down again', async () => {
    const log: string[] = [];
    const app = framework().use('x', counting(log));
    await app.setup();
    const service = await app.unuse('x');
    const other = framework().use('y', service as ReturnType<typeof counting>);
    await other.setup();
    await other.teardown();
    expect(log).toEqual(['setup', 'teardown', 'setup', 'teardown']);
  });

  it('goes on where another application has it still', async () => {
    const log: string[] = [];
    const app = framework().use('x', counting(log));
    const other = framework().use('y', app.service('x'));
    await app.setup();
    await app.unuse('x');
    expect(log).toEqual(['setup']);
    const third = framework().use('z', other.service('y'));
    await third.setup();
    await other.service('y').find();
    expect(log).toEqual(['setup']);
  });

  it('is torn down anew for each time that it was registered, also where nothing has set it up', async () => {
    const log: string[] = [];
    const app = framework().use('x', counting(log));
    const service = (await app.unuse('x')) as ReturnType<typeof counting>;
    await framework().use('y', service).unuse('y');
    expect(log).toEqual(['teardown', 'teardown']);
  });

  it('keeps the hooks of each place that it is not taken out of, also at one path of two applications and at two of one', async () => {
    const log: string[] = [];
    const app = framework().use('x', counting([]));
    const service = app.service('x');
    app.use('again', service);
    const other = framework().use('x', service);
    app.hooks({ before: { all: [() => void log.push('app')] } });
    other.hooks({ before: { all: [() => void log.push('other')] } });
    await app.unuse('x');
    await service.find();
    expect(log.splice(0)).toEqual(['other', 'app']);
    await app.unuse('again');
    await service.find();
    expect(log.splice(0)).toEqual(['other']);
    await other.unuse('x');
    await service.find();
    expect(log).toEqual(['other']);
  });
});
