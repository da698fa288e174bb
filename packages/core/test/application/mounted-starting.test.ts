import { expect, it } from '@jest/globals';
import { framework } from '../../src/index.ts';

it('an application that is being set up is waited for where it is mounted, so that its hooks stand around its services', async () => {
  const steps: string[] = [];
  const [app, inner] = [framework(), framework()];
  inner.use('notes', {
    async find() {
      return [];
    },
    async setup() {
      steps.push('notes');
    },
  });
  let connect = (): void => undefined;
  const connected = new Promise<void>((resolve) => (connect = resolve));
  inner.hooks({
    setup: [
      async (_context: unknown, next: () => Promise<void>) => {
        await connected;
        steps.push('connected');
        await next();
        steps.push('inner');
      },
    ],
  });
  app.use('/inner', inner);
  const [own, outer] = [inner.setup(), app.setup().then(() => steps.push('outer'))];
  await new Promise((resolve) => setImmediate(resolve));
  connect();
  await Promise.all([own, outer]);
  expect(steps).toEqual(['connected', 'notes', 'inner', 'outer']);
});

it('an application whose own setup fails fails the one that it is mounted in, and is not set up once more', async () => {
  const [app, inner] = [framework(), framework()];
  let tries = 0;
  inner.use('notes', {
    async find() {
      return [];
    },
    async setup() {
      tries += 1;
      throw new Error('not yet');
    },
  });
  app.use('/inner', inner);
  const [own, outer] = await Promise.allSettled([inner.setup(), app.setup()]);
  expect([own.status, outer.status, tries]).toEqual(['rejected', 'rejected', 1]);
});

it('an application may set up the one that it is mounted in by its own hook', async () => {
  const steps: string[] = [];
  const [app, inner] = [framework(), framework()];
  app.use('users', {
    async find() {
      return [];
    },
    async setup() {
      steps.push('users');
    },
  });
  inner.hooks({
    setup: [
      async (_context: unknown, next: () => Promise<void>) => {
        await app.setup();
        steps.push('outer');
        await next();
      },
    ],
  });
  app.use('/inner', inner);
  await inner.setup();
  expect(steps).toEqual(['users', 'outer']);
});
