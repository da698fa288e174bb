import { describe, expect, it } from '@jest/globals';
import { framework, isApplication, nestApplication, watchErrors, wrapApplication } from '../../src/index.ts';

const finds = () => ({
  async find(): Promise<string[]> {
    return [];
  },
});

describe('what stands for an application', () => {
  it('is told from all else', () => {
    const app = framework();
    const wrapper = (): void => undefined;
    wrapApplication(app, wrapper);
    for (const value of [app, wrapper, framework()]) expect(isApplication(value)).toBe(true);
    for (const value of [{}, () => undefined, null, undefined, 'app', 5, { services: {} }]) expect(isApplication(value)).toBe(false);
  });

  it('is what hooks, setup and mixins get, also when it is a function', async () => {
    const app = framework();
    const wrapper = Object.assign(() => undefined, { setup: (server?: unknown) => app.setup(server) });
    wrapApplication(app, wrapper);
    const seen: unknown[] = [];
    app.mixins.push(function (this: unknown) {
      seen.push(this);
    });
    app.use('x', { ...finds(), setup: (given: unknown) => void seen.push(given) });
    app.hooks({ before: { find: [({ app: given }) => void seen.push(given)] } });
    const outer = framework();
    outer.use('api', wrapper);
    await outer.setup();
    await app.service('x').find();
    expect(seen).toEqual([wrapper, wrapper, wrapper]);
    await expect(outer.unuse('api')).resolves.toBe(wrapper);
  });

  it('is no object that has taken the methods of one', () => {
    const use = Reflect.get(framework(), 'use') as () => unknown;
    expect(() => Reflect.apply(use, { services: {} }, ['x', finds()])).toThrow(
      new TypeError(
        'use() was called on an object that has taken it from an application, as express() of @feathersjs/express does: take express() of @framework/transport-express, which makes one of both',
      ),
    );
  });

  it('can only stand for an application', () => {
    expect(() => {
      wrapApplication({}, {});
    }).toThrow(new TypeError('Only an application made by framework() can be wrapped'));
    for (const [outer, inner] of [
      [framework(), {}],
      [{}, framework()],
    ])
      expect(() => {
        nestApplication(outer as object, inner as object, 'x');
      }).toThrow(new TypeError('Only applications made by framework() can lie in each other'));
    expect(() => {
      watchErrors({}, () => undefined);
    }).toThrow(new TypeError('Only the errors of an application made by framework() can be watched'));
  });
});
