import { framework, type HookContext } from '@framework/core';
import { BadRequest, Conflict } from '@framework/errors';
import { describe, expect, it } from '@jest/globals';
import { Ajv, getDataValidator, getValidator, schema, Type, validateData, validateParams, validateQuery } from '../../src/index.ts';

const record = Type.Object({ name: Type.String({ minLength: 1 }), count: Type.Optional(Type.Integer()) });

interface Called {
  find(params?: object): Promise<unknown>;
  create(data: unknown, params?: object): Promise<unknown>;
  patch(id: unknown, data: unknown, params?: object): Promise<unknown>;
  remove(id: unknown, params?: object): Promise<unknown>;
}

/** A service that gives what it gets, with a hook before all methods. */
function service(hook: (context: HookContext) => Promise<void>): Called {
  const app = framework().use('echo', {
    find: async (params: { query?: object; route?: object }) => ({ query: params.query, route: params.route }),
    create: async (data: unknown) => data,
    patch: async (_id: unknown, data: unknown) => data,
    remove: async (id: unknown) => ({ removed: id }),
  });
  app.service('echo').hooks({ before: { all: [hook] } } as never);
  return app.service('echo') as unknown as Called;
}

const problems = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'taken',
    (error: unknown) => {
      const { code, message, errors } = error as { code: number; message: string; errors: { path: string; message: string }[] };
      return [code, message, errors.map((problem) => `${problem.path}: ${problem.message}`)];
    },
  );

describe('validateData', () => {
  const validators = getDataValidator(record);

  it('checks and converts the data of each method by its own rules, and methods without data not at all', async () => {
    const echo = service(validateData(validators));
    expect(await echo.create({ name: 'a', count: '5' })).toEqual({ name: 'a', count: 5 });
    expect(await echo.patch(1, { count: '5' })).toEqual({ count: 5 });
    expect(await echo.remove(1)).toEqual({ removed: 1 });
    expect(await echo.find({})).toEqual({ query: undefined, route: undefined });
    const one = service(validateData(validators.create));
    expect(await one.create([{ name: 'a' }, { name: 'b', count: '1' }])).toEqual([{ name: 'a' }, { name: 'b', count: 1 }]);
    expect(await one.remove(1)).toEqual({ removed: 1 });
    const some = service(validateData({ patch: validators.patch }));
    expect(await some.create({ anything: 1 })).toEqual({ anything: 1 });
  });

  it('tells where problems are, also in a list', async () => {
    const echo = service(validateData(validators));
    expect(await problems(echo.create({ name: '' }))).toEqual([
      400,
      'validation failed',
      ['name: name must NOT have fewer than 1 characters'],
    ]);
    expect(await problems(echo.create([{ name: 'a' }, { name: '' }, 5, { name: 'a', count: 'x' }]))).toEqual([
      400,
      'validation failed',
      ['1.name: 1.name must NOT have fewer than 1 characters', '2: 2 must be object', '3.count: 3.count must be integer'],
    ]);
  });

  it('tells where problems are that a check says by another copy of the errors', async () => {
    const errors = [{ path: 'name', keyword: 'own', message: 'name is taken', params: {} }];
    const ofAnotherCopy = { [Symbol.for('@framework/error')]: true, name: 'BadRequest', className: 'bad-request', code: 400, errors };
    const echo = service(validateData(async () => Promise.reject(Object.assign(new Error('validation failed'), ofAnotherCopy))));
    expect(await problems(echo.create([{ name: 'a' }]))).toEqual([400, 'validation failed', ['0.name: 0.name is taken']]);
  });

  it('stops a list where there is no more to tell', async () => {
    let checked = 0;
    const check = validators.create;
    const echo = service(validateData(async (entry: unknown) => ((checked += 1), check(entry))));
    const list = Array.from({ length: 30 }, () => ({ name: '' }));
    const [code, , told] = (await problems(echo.create(list))) as [number, string, string[]];
    expect([code, told.length, checked]).toEqual([400, 20, 20]);
  });

  it('passes on what is no list of problems, as it is', async () => {
    for (const thrown of [
      new Error('the database is away'),
      new BadRequest('no'),
      new Conflict('taken', { errors: [{ path: 'name', keyword: 'unique', message: 'taken', params: {} }] }),
      // Checks of one's own have forms of their own.
      new BadRequest('no', { errors: ['name is taken'] }),
      new BadRequest('no', { errors: [null] }),
      new BadRequest('no', { errors: [{ field: 'name' }] }),
      new BadRequest('no', { errors: [{ path: 'name', params: {} }] }),
      new BadRequest('no', { errors: [{ message: 'taken', params: {} }] }),
      new BadRequest('no', { errors: [{ path: 'name', message: 'taken' }] }),
      new BadRequest('no', { errors: { name: 'taken' } }),
      new BadRequest('no', { errors: [{ path: 'name', keyword: 'unique', message: 'taken', params: {} }, 'name is taken'] }),
    ]) {
      const echo = service(validateData(async () => Promise.reject(thrown)));
      await expect(echo.create([{ name: 'a' }])).rejects.toBe(thrown);
      await expect(echo.create({ name: 'a' })).rejects.toBe(thrown);
    }
  });

  it('keeps a path that looks like a pattern of a replacement', async () => {
    const told = [{ path: '$&', keyword: 'x', message: '$& is wrong', params: {} }];
    const echo = service(validateData(async () => Promise.reject(new BadRequest('no', { errors: told }))));
    expect(await problems(echo.create([{}]))).toEqual([400, 'validation failed', ['0.$&: 0.$& is wrong']]);
  });
});

describe('what the hooks take', () => {
  const definition = { type: 'object', required: ['a'], additionalProperties: false, properties: { a: { type: 'number' } } };

  it('is also what schema() gives, whole and by method', async () => {
    const whole = schema(definition);
    for (const hook of [validateData(whole), validateData({ create: whole })]) {
      const echo = service(hook);
      expect(await echo.create({ a: '1' })).toEqual({ a: 1 });
      await expect(echo.create({ b: 1 })).rejects.toMatchObject({ code: 400 });
    }
    const asked = service(validateQuery(whole));
    await expect(asked.create({}, { query: { b: 1 } })).rejects.toMatchObject({ code: 400 });
    const routed = service(validateParams({ route: whole }));
    await expect(routed.create({}, { route: { b: '1' } })).rejects.toMatchObject({ code: 400 });
  });

  it.each<[string, unknown]>([
    ['a schema', definition],
    ['TypeBox', Type.Object({})],
    ['nothing', undefined],
    ['null', null],
    ['a text', 'x'],
    ['a method without one', { create: {} }],
    ['a method whose validator is undefined', { create: undefined }],
    [
      'an object of another library',
      new (class {
        validate = undefined;
        check(): boolean {
          return true;
        }
      })(),
    ],
  ])('is no other thing, which would check nothing: %s', (_what, given) => {
    for (const hook of [validateData, validateQuery, validateParams])
      expect(() => hook(given as never)).toThrow(/takes validators, as getValidator\(schema\) makes them/);
  });
});

describe('validateQuery', () => {
  it('checks and converts the query, an empty one where there is none', async () => {
    const echo = service(
      validateQuery(getValidator(Type.Object({ count: Type.Optional(Type.Integer()) }, { additionalProperties: false }))),
    );
    expect(await echo.find({ query: { count: '5' } })).toMatchObject({ query: { count: 5 } });
    expect(await echo.find()).toMatchObject({ query: {} });
    await expect(echo.find({ query: { other: 1 } })).rejects.toMatchObject({ code: 400 });
  });
});

describe('validateParams', () => {
  it('checks and converts the parameters that it names, and leaves the others', async () => {
    const echo = service(validateParams({ route: getValidator(Type.Object({ userId: Type.Integer() })) }));
    expect(await echo.find({ route: { userId: '5' }, query: { a: '1' } })).toEqual({ route: { userId: 5 }, query: { a: '1' } });
    await expect(echo.find({ route: { userId: 'x' } })).rejects.toMatchObject({ code: 400 });
    await expect(echo.find({})).rejects.toMatchObject({ code: 400 });
  });

  it('runs as an around hook too', async () => {
    const app = framework().use('echo', { find: async ({ route }: { route?: object }) => ({ route }) });
    app
      .service('echo')
      .hooks({ around: { find: [validateParams({ route: getValidator(Type.Object({ userId: Type.Integer() })) })] } } as never);
    const echo = app.service('echo') as unknown as Called;
    expect(await echo.find({ route: { userId: '5' } })).toEqual({ route: { userId: 5 } });
  });
});

describe('validators that Ajv has compiled', () => {
  const ajv = new Ajv({ coerceTypes: true });
  const compiled = ajv.compile<object>({ ...record, $async: true, additionalProperties: false });

  it('are taken where they give the value, and what they find is 400 as elsewhere', async () => {
    const echo = service(validateData(compiled));
    expect(await echo.create({ name: 'a', count: '5' })).toEqual({ name: 'a', count: 5 });
    const told = [400, 'validation failed', ['count: count must be integer']];
    expect(await problems(echo.create({ name: 'a', count: 'x' }))).toEqual(told);
    expect(await problems(service(validateData({ patch: compiled })).patch(1, { name: 'a', count: 'x' }))).toEqual(told);
    expect(await problems(echo.create([{ name: 'a' }, { name: '', other: 1 }]))).toEqual([
      400,
      'validation failed',
      ['1.other: 1.other must NOT have additional properties'],
    ]);
    expect(await problems(service(validateQuery(compiled)).find({ query: { name: 'a', count: 'x' } }))).toEqual(told);
    expect(await problems(service(validateParams({ route: compiled })).find({ route: { name: 'a', count: 'x' } }))).toEqual(told);
  });

  it('are refused at once where they say yes or no, which would take the place of the data', () => {
    const message = 'got what ajv.compile() makes, which says whether a value is right and gives none: take getValidator(schema, ajv)';
    const yesOrNo = ajv.compile({ ...record }) as never;
    expect(() => validateData(yesOrNo)).toThrow(new TypeError(`validateData ${message}`));
    expect(() => validateData({ create: yesOrNo })).toThrow(message);
    expect(() => validateQuery(yesOrNo)).toThrow(message);
    expect(() => validateParams({ route: yesOrNo })).toThrow(message);
  });

  it('keep errors that are others', async () => {
    for (const error of [Object.assign(new Error('x'), { ajv: true, errors: [{ dataPath: '' }] }), new Conflict('taken'), 'text'])
      await expect(service(validateData(async () => Promise.reject(error as Error))).create({})).rejects.toBe(error);
  });
});
