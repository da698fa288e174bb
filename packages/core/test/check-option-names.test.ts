import { describe, expect, it } from '@jest/globals';
import { checkOptionNames, checkSpelling, framework } from '../src/index.ts';

const NAMES: ReadonlySet<string> = new Set(['id', 'paginate', 'authStrategies']);

describe('checkOptionNames', () => {
  it.each([
    [{}, undefined],
    [{ id: 1, paginate: undefined }, undefined],
    [{ paginat: 1 }, "things() has no option 'paginat'. Did you mean 'paginate'? It has id, paginate, authStrategies"],
    [{ PAGINATE: 1 }, "things() has no option 'PAGINATE'. Did you mean 'paginate'? It has id, paginate, authStrategies"],
    [{ authStrategy: 1 }, "things() has no option 'authStrategy'. Did you mean 'authStrategies'? It has id, paginate, authStrategies"],
    [{ ids: 1 }, "things() has no option 'ids'. Did you mean 'id'? It has id, paginate, authStrategies"],
    [{ to: 1 }, "things() has no option 'to'. It has id, paginate, authStrategies"],
    [{ constructor: 1 }, "things() has no option 'constructor'. It has id, paginate, authStrategies"],
    [[], 'things() takes an object of options, and got a list'],
    [null, 'things() takes an object of options, and got null'],
    ['id', 'things() takes an object of options, and got string'],
    [undefined, 'things() takes an object of options, and got undefined'],
  ])('answers %j with %j', (options, message) => {
    const check = (): void => checkOptionNames('things()', options, NAMES);
    if (message === undefined) expect(check).not.toThrow();
    else expect(check).toThrow(new TypeError(message));
  });

  it.each([
    ['things()', 'things() takes an object of options, and got the application. Is it to be called first, configure(things())?'],
    ['Things', 'Things takes an object of options, and got the application'],
  ])('says of %s that it got the application, as app.configure(things) gives it', (of, message) => {
    const app = framework();
    const asFunction = Object.assign(() => undefined, { use: app.use, service: app.service, configure: app.configure });
    for (const given of [app, asFunction]) expect(() => checkOptionNames(of, given, NAMES)).toThrow(new TypeError(message));
  });

  it('says what else is to be known', () => {
    expect(() => checkOptionNames('things()', { x: 1 }, NAMES, '; those of a class are not handed on')).toThrow(
      new TypeError("things() has no option 'x'. It has id, paginate, authStrategies; those of a class are not handed on"),
    );
  });
});

describe('checkSpelling', () => {
  it.each([
    [{ id: 1, google: {}, authentication: {} }, undefined],
    [{ paginat: 1 }, "'settings' has no option 'paginat'. Did you mean 'paginate'?"],
    [{ google: {}, authStrategys: [] }, "'settings' has no option 'authStrategys'. Did you mean 'authStrategies'?"],
  ])('answers %j with %j', (options, message) => {
    const check = (): void => checkSpelling("'settings'", options, NAMES);
    if (message === undefined) expect(check).not.toThrow();
    else expect(check).toThrow(new TypeError(message));
  });

  it('takes what others are called', () => {
    expect(() => checkSpelling("'settings'", { paginated: 1 }, NAMES, ['paginated'])).not.toThrow();
  });
});
