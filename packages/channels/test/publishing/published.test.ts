import { describe, expect, it } from '@jest/globals';
import { create, open, type App } from '../listener.ts';

/** What a publisher is answered with, and who gets the event of a call. */
async function published(publisher: (app: App) => unknown): Promise<{ texts: unknown[]; errors: string[] }> {
  const app = create();
  const errors: string[] = [];
  app.on('listenerError', (error: Error) => errors.push(error.message));
  const listener = open(app);
  app.channel('all').join(listener.connection);
  app.service('notes').publish(() => publisher(app));
  await app.service('notes').create({ text: 'a' });
  // A promise that nobody takes is told behind the microtasks.
  await new Promise((resolve) => setImmediate(resolve));
  return { texts: listener.texts, errors };
}

describe('what a publisher gives', () => {
  it.each<[string, (app: App) => unknown]>([
    ['lists in lists, with nothing among them', (app) => [null, [[app.channel('all'), undefined], false]]],
    ['a promise of a list', async (app) => [app.channel('all')]],
  ])('may be %s', async (_what, publisher) => {
    expect(await published(publisher)).toMatchObject({ texts: [{ text: 'a' }], errors: [] });
  });

  it.each<[string, (app: App) => unknown]>([
    ['a promise', (app) => [app.channel('all'), Promise.resolve(app.channel('all'))]],
    [
      'promises that reject',
      () => [Promise.reject(new Error('down')), [Promise.reject(new Error('down'))], Promise.reject(new Error('down'))],
    ],
    ['a promise of a list that has one', async (app) => [app.channel('all'), Promise.reject(new Error('down'))]],
  ])('is told, and nobody gets the event, where a list has %s, which ends no process', async (_what, publisher) => {
    const rejected: unknown[] = [];
    const note = (reason: unknown): unknown => rejected.push(reason);
    process.on('unhandledRejection', note);
    const { texts, errors } = await published(publisher);
    process.off('unhandledRejection', note);
    expect({ texts, rejected }).toEqual({ texts: [], rejected: [] });
    expect(errors).toEqual([expect.stringMatching(/^A publisher gave a list with a promise in it, .+ await Promise\.all\(\[…\]\)$/)]);
  });
});
