import { AuthenticationService, JWTStrategy } from '@framework/authentication';
import { LocalStrategy, passwordHash } from '@framework/authentication-local';
import { DocDbService, keywordObjectId, ObjectIdSchema, type DocDbServiceOptions } from '@framework/adapter-docdb';
import { MemoryService as Records } from '@framework/adapter-memory';
import { getRules } from '@framework/core';
import { createAjv, Hidden, Nullable, ReadOnly, resolve, resolveData, serviceSchema, Type, WriteOnly } from '@framework/schema';
import { MemoryService } from '@framework-internal/testing';
import { ObjectId } from 'mongodb';
import { describe, expect, it } from '@jest/globals';
import { applications } from './applications.ts';
import { send, sendJson, type Running } from './harness.ts';

const tested = applications();

const people = (options: Partial<DocDbServiceOptions> = {}): DocDbService =>
  new DocDbService({ Model: tested.database.db.collection('people'), ...options });

const record = Type.Object({
  _id: Type.Unsafe<ObjectId>({ objectid: true }),
  name: Type.String(),
  role: Type.Optional(ReadOnly(Type.String())),
  token: Type.Optional(Hidden(Type.String())),
  profile: Type.Optional(
    Nullable(
      Type.Object({
        city: Type.Optional(Type.String()),
        bio: Type.Optional(Type.String()),
        pin: Type.Optional(Hidden(Type.String())),
        deep: Type.Optional(Type.Object({ text: Type.Optional(Type.String()), since: Type.Optional(ReadOnly(Type.String())) })),
      }),
    ),
  ),
  auth: Type.Optional(Type.Object({ since: Type.Optional(Type.String()), password: Type.Optional(WriteOnly(Type.String())) })),
  members: Type.Optional(Type.Array(Type.Object({ name: Type.String(), banned: Type.Optional(ReadOnly(Type.Boolean())) }))),
});
const STORED = {
  name: 'Ann',
  role: 'user',
  token: 'kept',
  profile: { city: 'Bern', bio: 'x', pin: 'kept', deep: { text: 'a', since: 'kept' } },
  auth: { since: '1', password: 'kept' },
  members: [{ name: 'a', banned: true }],
};
const ajv = createAjv().addKeyword(keywordObjectId);

describe('S10 what a caller neither sees nor sets outlives what the caller writes around it', () => {
  const build = async (
    service: object,
    described = true,
  ): Promise<Running & { id: string; stored(): Promise<Record<string, unknown>> }> => {
    const started = await tested.start((app) => {
      app.use('people', service as never, described ? { schema: serviceSchema({ record, ajv }) } : {});
    });
    const made = (await started.app.service('people').create(structuredClone(STORED) as never)) as Record<string, unknown>;
    const id = String(made._id ?? made.id);
    return { ...started, id, stored: async () => (await started.app.service('people').get(id as never)) as Record<string, unknown> };
  };

  it('for an update of a record with an id of another system beside its own', async () => {
    const numbered = Type.Object({ _id: Type.Unknown(), id: ReadOnly(Type.Integer()), name: Type.String() });
    const { url, app } = await tested.start((own) => {
      own.use('people', people() as never, { schema: serviceSchema({ record: numbered }) });
      own.use('memory', new Records({ id: '_id' }) as never, { schema: serviceSchema({ record: numbered }) });
    });
    for (const path of ['people', 'memory']) {
      const { _id } = (await app.service(path).create({ ...(path === 'memory' ? { _id: 1 } : {}), id: 77, name: 'Ann' } as never)) as {
        _id: unknown;
      };
      const sent = { _id, name: 'Bea' };
      expect(await sendJson(url, 'PUT', `/${path}/${String(_id)}`, sent)).toMatchObject({ status: 200, body: { id: 77, name: 'Bea' } });
      expect(await app.service(path).get(String(_id) as never)).toMatchObject({ id: 77, name: 'Bea' });
    }
  });

  it('for an update of a record whose id callers have chosen, and send back', async () => {
    const named = Type.Object({ slug: Type.String(), name: Type.String(), token: Type.Optional(Hidden(Type.String())) });
    const own = [people({ id: 'slug' }), new Records({ id: 'slug' })];
    for (const service of own) {
      const { url, app } = await tested.start((application) => {
        application.use('people', service as never, { schema: serviceSchema({ record: named }) });
      });
      expect(await sendJson(url, 'POST', '/people', { slug: 'a', name: 'Ann' })).toMatchObject({ status: 201 });
      await app.service('people').patch('a' as never, { token: 'kept' } as never);
      expect(await sendJson(url, 'PUT', '/people/a', { slug: 'a', name: 'Bea' })).toMatchObject({
        status: 200,
        body: { slug: 'a', name: 'Bea' },
      });
      expect(await app.service('people').get('a' as never)).toMatchObject({ slug: 'a', name: 'Bea', token: 'kept' });
    }
  });

  it('for a patch of a nested object, whose visible part is replaced', async () => {
    const { url, id, stored } = await build(people());
    const answer = await sendJson(url, 'PATCH', `/people/${id}`, { profile: { city: 'Basel' }, auth: { since: '2' } });
    expect(answer).toMatchObject({ status: 200, body: { profile: { city: 'Basel', deep: { since: 'kept' } }, auth: { since: '2' } } });
    expect(await stored()).toMatchObject({
      profile: { city: 'Basel', pin: 'kept', deep: { text: 'a', since: 'kept' } },
      auth: { since: '2', password: 'kept' },
    });
    expect((await stored()).profile).not.toHaveProperty('bio');
    expect(await sendJson(url, 'PATCH', `/people/${id}`, { profile: { deep: { text: 'b' } }, auth: { password: 'new' } })).toMatchObject({
      status: 200,
    });
    expect(await stored()).toMatchObject({ profile: { pin: 'kept', deep: { text: 'b', since: 'kept' } }, auth: { password: 'new' } });
  });

  it('for a record that is replaced, and there may be nothing to keep', async () => {
    const { url, id, stored } = await build(people());
    expect(await sendJson(url, 'PUT', `/people/${id}`, { name: 'Bea', profile: { city: 'Chur' } })).toMatchObject({ status: 200 });
    expect(await stored()).toEqual({
      _id: new ObjectId(id),
      name: 'Bea',
      role: 'user',
      token: 'kept',
      profile: { city: 'Chur', pin: 'kept', deep: STORED.profile.deep },
      auth: STORED.auth,
      members: STORED.members,
    });
    await tested.database.db.collection('people').updateOne({}, { $set: { profile: null }, $unset: { token: 1, auth: 1 } });
    expect(await sendJson(url, 'PATCH', `/people/${id}`, { profile: { city: '$name' } })).toMatchObject({ status: 200 });
    expect((await stored()).profile).toEqual({ city: '$name' });
    expect(await sendJson(url, 'PUT', `/people/${id}`, { name: 'Cy' })).toMatchObject({ status: 200 });
    expect(await stored()).not.toHaveProperty('token');
  });

  it('what code on the server writes wins', async () => {
    const { app, url, id, stored } = await build(people());
    app.service('people').hooks({
      before: {
        patch: [
          (context: { data: { profile: object } }) => void (context.data = { profile: { ...context.data.profile, pin: 'by a hook' } }),
        ],
      },
    } as never);
    await sendJson(url, 'PATCH', `/people/${id}`, { profile: { city: 'Basel' } });
    expect(await stored()).toMatchObject({ profile: { city: 'Basel', pin: 'by a hook', deep: { since: 'kept' } } });
    await app.service('people').update(id as never, { name: 'x' } as never);
    expect(await stored()).toEqual({ _id: new ObjectId(id), name: 'x' });
  });

  it.each([{ profile: null }, { members: [] }, { members: [{ name: 'a' }] }])('is not taken away by %j', async (data) => {
    const { url, id, stored } = await build(people());
    for (const [method, body] of [
      ['PATCH', data],
      ['PUT', { name: 'x', ...data }],
    ] as const) {
      const answer = await sendJson(url, method, `/people/${id}`, body);
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: Object.keys(data)[0], keyword: 'replaced' }] } });
    }
    expect(await stored()).toMatchObject(STORED);
  });

  it('by a service that does not know of it, a nested patch is refused', async () => {
    const { url, id, stored } = await build(new MemoryService({ id: '_id' }));
    for (const data of [{ profile: { city: 'Basel' } }, { auth: { since: '2' } }, { profile: null }])
      expect(await sendJson(url, 'PATCH', `/people/${id}`, data)).toMatchObject({ status: 400 });
    expect(await sendJson(url, 'PATCH', `/people/${id}`, { name: 'Bea' })).toMatchObject({ status: 200 });
    expect(await stored()).toMatchObject({ ...STORED, name: 'Bea' });
  });

  it('without a description too', async () => {
    const { url, id, stored } = await build(people({ hidden: ['profile.pin', 'token'], updateOperators: ['$set', '$inc'] }), false);
    expect(await sendJson(url, 'PATCH', `/people/${id}`, { profile: { city: 'Basel' } })).toMatchObject({ status: 200 });
    expect(await stored()).toMatchObject({ profile: { city: 'Basel', pin: 'kept' }, token: 'kept' });
    expect(await sendJson(url, 'PATCH', `/people/${id}`, { $set: { profile: {} } })).toMatchObject({ status: 400 });
    expect(await sendJson(url, 'PATCH', `/people/${id}`, { profile: {}, $inc: { n: 1 } })).toMatchObject({ status: 400 });
    expect(await sendJson(url, 'PUT', `/people/${id}`, { name: 'x' })).toMatchObject({ status: 200 });
    expect(await stored()).toEqual({ _id: new ObjectId(id), name: 'x', token: 'kept', profile: expect.objectContaining({ pin: 'kept' }) });
  });

  it('and its id is taken back where it is the same', async () => {
    const { url, id } = await build(people());
    const { body } = await send(url, `/people/${id}`);
    const { role: _role, profile: _profile, members: _members, auth: _auth, ...own } = body as Record<string, unknown>;
    expect(own).toHaveProperty('_id', id);
    expect(await sendJson(url, 'PUT', `/people/${id}`, own)).toMatchObject({ status: 200, body: { _id: id } });
    expect(await sendJson(url, 'PATCH', `/people/${id}`, { _id: id, name: 'y' })).toMatchObject({
      status: 200,
      body: { _id: id, name: 'y' },
    });
    for (const other of [new ObjectId().toHexString(), { $ne: 1 }, 5])
      expect(await sendJson(url, 'PUT', `/people/${id}`, { ...own, _id: other })).toMatchObject({ status: 400 });
  });
});

describe('texts of object ids in data', () => {
  const owner = new ObjectId().toHexString();

  it('become object ids at the paths of the adapter', async () => {
    const { url } = await tested.start((app) => {
      app.use('people', people({ objectIds: ['owner', 'list.by', 'tags'], paths: ['list.by'], updateOperators: ['$push'] }) as never);
    });
    const { body } = await sendJson(url, 'POST', '/people', { owner, list: [{ by: owner, text: owner }], tags: [owner] });
    expect(await tested.database.db.collection('people').findOne()).toMatchObject({
      owner: new ObjectId(owner),
      list: [{ by: new ObjectId(owner), text: owner }],
      tags: [new ObjectId(owner)],
    });
    for (const query of [`owner=${owner}`, `list.by=${owner}`, `tags=${owner}`])
      expect((await send(url, `/people?${query}`)).body).toHaveLength(1);
    await sendJson(url, 'PATCH', `/people/${body._id as string}`, { $push: { list: { by: owner } }, tags: [] });
    expect(await tested.database.db.collection('people').findOne()).toMatchObject({ tags: [], list: [{}, { by: new ObjectId(owner) }] });
    await sendJson(url, 'PUT', `/people/${body._id as string}`, { owner });
    expect((await send(url, `/people?owner=${owner}`)).body).toHaveLength(1);
  });

  it('become object ids by the schema, whose keyword the validator has to know', async () => {
    const id = Type.Unsafe<ObjectId>(ObjectIdSchema());
    const schema = Type.Object({ _id: id, owner: id });
    expect(() => serviceSchema({ record: schema })).toThrow("does not know 'objectid'");
    const { url } = await tested.start((app) => {
      app.use('people', people() as never, { schema: serviceSchema({ record: schema, ajv }) as never });
    });
    expect(await sendJson(url, 'POST', '/people', { owner })).toMatchObject({ status: 201, body: { owner } });
    expect(await tested.database.db.collection('people').findOne()).toMatchObject({ owner: new ObjectId(owner) });
    expect((await send(url, `/people?owner=${owner}`)).body).toHaveLength(1);
    expect(await sendJson(url, 'POST', '/people', { owner: 'x' })).toMatchObject({ status: 400 });
  });
});

describe('the password of a resolver', () => {
  const build = (): Promise<Running> =>
    tested.start((app) => {
      app.set('authentication', {
        secret: 'a secret for the tests of what is kept',
        entity: 'user',
        service: 'others',
        authStrategies: ['local'],
        local: { usernameField: 'name', passwordField: 'password', service: 'people', hashCost: { memoryCost: 64, timeCost: 1 } },
      });
      app.use('people', people({ updateOperators: ['$set', '$max', '$setOnInsert', '$rename'], disabledOperators: [] }) as never);
      const hash = resolve<{ password?: string }>({ password: passwordHash({ strategy: 'local' }) as never });
      app
        .service('people')
        .hooks({ before: { create: [resolveData(hash)], patch: [resolveData(hash)], update: [resolveData(hash)] } } as never);
      app.use('others', people() as never);
      const authentication = new AuthenticationService(app);
      authentication.register('jwt', new JWTStrategy());
      authentication.register('local', new LocalStrategy());
      app.use('authentication', authentication);
    });

  it('S25 is hashed below $set, and refused below what would store it', async () => {
    const { url } = await build();
    const { body } = await sendJson(url, 'POST', '/people', { name: 'Ann', password: 'plain text' });
    const path = `/people/${body._id as string}`;
    expect(await sendJson(url, 'PATCH', path, { $set: { password: 'plain text' } })).toMatchObject({ status: 200 });
    expect(await sendJson(url, 'PUT', path, { $set: { password: 'plain text' } })).toMatchObject({ status: 200 });
    for (const data of [{ $max: { password: 'plain text' } }, { $rename: { name: 'password' } }, { $set: { 'password.x': 'plain text' } }])
      expect(await sendJson(url, 'PATCH', path, data)).toMatchObject({ status: 400 });
    const stored = await tested.database.db.collection('people').findOne();
    expect(stored?.password).toMatch(/^\$argon2id/);
  });

  it('S7 belongs to the service that its strategy names', async () => {
    const { url, app } = await build();
    await sendJson(url, 'POST', '/people', { name: 'Ann', password: 'plain text' });
    expect((await send(url, '/people')).text).not.toContain('argon2');
    expect(getRules(app.service('others'))?.hasSecrets).toBe(false);
    const login = await sendJson(url, 'POST', '/authentication', { strategy: 'local', name: 'Ann', password: 'plain text' });
    expect(login).toMatchObject({ status: 201, body: { user: { name: 'Ann' } } });
    expect(login.text).not.toContain('argon2');
  });
});
