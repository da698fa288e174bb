import { describe, expect, it } from '@jest/globals';
import { declareServiceOption, framework, getServiceOptions, SERVICE } from '../../src/index.ts';

class Messages {
  async find(): Promise<string[]> {
    return [];
  }
}

let declared = 0;
/** A name that nobody has declared: what is declared stays in the process. */
const declaredOnce = (): string => `plugin option ${String(++declared)}`;

describe('the options of app.use', () => {
  it.each([
    [{ method: ['find'] }, "Unknown option 'method' of service 'x'. Did you mean 'methods'?"],
    [{ Events: [] }, "Did you mean 'events'?"],
    [{ authorize: true }, "Unknown option 'authorize' of service 'x'. Known are methods, events"],
    [{ methods: 'find' }, "The option 'methods' of 'x' has to be a list of names, and is string"],
    [{ methods: null }, "The option 'methods' of 'x' has to be a list of names, and is null"],
    [{ methods: '' }, "The option 'methods' of 'x' has to be a list of names, and is string"],
    [{ methods: false }, "The option 'methods' of 'x' has to be a list of names, and is boolean"],
    [{ events: null }, "The option 'events' of 'x' has to be a list of names, and is null"],
    [{ serviceEvents: null }, "The option 'serviceEvents' of 'x' has to be a list of names, and is null"],
    [{ events: [1] }, "The option 'events' of 'x' has to be a list of names, and holds number"],
    [{ routeParams: ['a'] }, "The option 'routeParams' of 'x' has to be an object of values by name"],
    [{ schema: {} }, "The option 'schema' of 'x' has no hooks"],
    [{ schema: null }, "The option 'schema' of 'x' has no hooks"],
    [{ schema: 'users' }, "The option 'schema' of 'x' has no hooks"],
    [{ schema: { ['']: 1 } }, "The option 'schema' of 'x' has no hooks"],
    [{ routeParams: null }, "The option 'routeParams' of 'x' has to be an object of values by name"],
    [{ routeParams: 'a' }, "The option 'routeParams' of 'x' has to be an object of values by name"],
    [{ evnt: [] }, "Unknown option 'evnt' of service 'x'. Did you mean 'events'?"],
    [{ shcema: {} }, "Unknown option 'shcema' of service 'x'. Did you mean 'schema'?"],
    [{ xdocsx: {} }, "Unknown option 'xdocsx' of service 'x'. Did you mean 'docs'?"],
    [{ xschemaxx: {} }, "Unknown option 'xschemaxx' of service 'x'. Known are"],
    [{ e: [] }, "Unknown option 'e' of service 'x'. Known are"],
    [{ toString: 1 }, "Unknown option 'toString' of service 'x'. Known are"],
    [{ koa: { before: [() => 1] } }, "The option 'koa' of 'x' has middleware of Koa, which nobody calls here: write it for Express"],
    [{ koa: { before: [], after: [() => 1] }, express: undefined }, "The option 'koa' of 'x' has middleware of Koa"],
    [['find'], "The options of 'x' have to be an object, and are a list"],
    ['find', "The options of 'x' have to be an object, and are string"],
    [5, "The options of 'x' have to be an object, and are number"],
  ])('are refused where they are not known: %j', (options, message) => {
    const app = framework();
    expect(() => app.use('x', new Messages(), options as never)).toThrow(message);
    expect(app.lookup('x')).toBeNull();
  });

  it.each(['outerHooks', 'inputHooks', 'innerHooks'])('take a schema that has %s', (hooks) => {
    expect(() => framework().use('x', new Messages(), { schema: { [hooks]: {} } as never })).not.toThrow();
  });

  it('may have middleware of Koa beside that of Express, or none of it', () => {
    declareServiceOption('express');
    for (const options of [{ koa: { before: [() => 1] }, express: {} }, { koa: { before: [], after: [] } }, { koa: {} }, { koa: null }])
      expect(() => framework().use('x', new Messages(), options as never)).not.toThrow();
  });

  it('that are left open are as if they were not there', () => {
    const options = { methods: undefined, events: undefined, routeParams: undefined, schema: undefined, docs: undefined };
    const app = framework().use('x', new Messages(), options as never);
    expect(getServiceOptions(app.service('x'))?.methods).toEqual(['find']);
  });

  it('that are declared again keep their check', () => {
    declareServiceOption('routeParams');
    expect(() => framework().use('x', new Messages(), { routeParams: ['a'] as never })).toThrow('has to be an object');
  });

  it('may be added by plug-ins that declare theirs', () => {
    const audited = declaredOnce();
    expect(() => framework().use('x', new Messages(), { [audited]: true } as never)).toThrow(`Unknown option '${audited}'`);
    declareServiceOption(audited);
    const app = framework();
    app.use('x', new Messages(), { [audited]: true } as never);
    expect(getServiceOptions(app.service('x'))).toMatchObject({ [audited]: true });
  });

  it('may be added with a check of their values', () => {
    const audience = declaredOnce();
    declareServiceOption(audience, (value) => (typeof value === 'string' ? undefined : 'has to be a text'));
    expect(() => framework().use('x', new Messages(), { [audience]: 5 } as never)).toThrow(
      `The option '${audience}' of 'x' has to be a text`,
    );
    expect(() => framework().use('x', new Messages(), { [audience]: 'staff' } as never)).not.toThrow();
    expect(() => framework().use('x', new Messages(), { [audience]: undefined } as never)).not.toThrow();
  });

  it('may need what is not there, which the start of the application says', async () => {
    const served = new WeakSet<object>();
    const metered = declaredOnce();
    declareServiceOption(metered, undefined, (value, service) => (value === true && !served.has(service) ? 'needs meters()' : undefined));
    const app = framework();
    app.use('x', new Messages(), { [metered]: true } as never);
    await expect(app.setup()).rejects.toThrow(`The option '${metered}' of 'x' needs meters()`);
    served.add(app.service('x') as object);
    await expect(app.setup()).resolves.toBe(app);
    await expect(
      framework()
        .use('x', new Messages(), { [metered]: false } as never)
        .setup(),
    ).resolves.toBeDefined();
  });

  it('are refused for a service that is registered already, as they would have no effect', () => {
    const app = framework().use('x', new Messages());
    expect(() => app.use('y', app.service('x'), { methods: [] })).toThrow("The service given for 'y' is registered as 'x' already");
    expect(() => framework().use('y', app.service('x'))).not.toThrow();
  });

  it.each([undefined, null, 'x', 5, {}, () => 1])('there are none of %p, which is not registered', (service) => {
    expect(getServiceOptions(service)).toBeUndefined();
  });

  it('lie on the service where plug-ins of the incumbent look for them', () => {
    expect(SERVICE).toBe(Symbol.for('@feathersjs/service'));
    const service: object = framework().use('x', new Messages()).service('x');
    expect((service as { [SERVICE]?: unknown })[SERVICE]).toMatchObject({ methods: ['find'] });
  });
});

describe('what is no service', () => {
  const app = framework();
  it.each([
    ['a class', Messages, 'it is the class Messages itself. Pass an instance: new Messages()'],
    ['a function', () => undefined, 'it is a function'],
    ['nothing', undefined, "No service was given for path 'x', but undefined"],
    ['null', null, "No service was given for path 'x', but null"],
    ['a text', 'messages', 'it is a string'],
    ['an object without methods', { fin: () => 1 }, 'it has none of the methods find'],
    [
      "another copy's application",
      { services: {}, service: () => 1, unuse: () => 1, setup: () => 1 },
      'was made by another copy of @framework/core, or by feathers(): install one version for all (npm ls @framework/core), and make applications by framework()',
    ],
  ])('is refused with its fault: %s', (_title, given, message) => {
    expect(() => app.use('x', given as never)).toThrow(message);
  });
});
