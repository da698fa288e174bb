import { authenticate, AuthenticationBaseStrategy, AuthenticationService, type AuthenticationResult } from '@framework/authentication';
import { channels } from '@framework/channels';
import { authenticating, contributedRules, framework, guard, keepUnpublished, type HookFunction } from '@framework/core';
import { MemoryService } from '@framework-internal/testing';
import { Field, Hidden, ReadOnly, serviceSchema, Type, WriteOnly } from '@framework/schema';
import express, { rest, Router, type Application } from '@framework/transport-express';
import { describe, expect, it } from '@jest/globals';
import { auditApplication, findRegressions, formatAudit, type Audit, type MethodAudit, type ServiceAudit } from '../src/index.ts';

async function onlyOwn(): Promise<void> {}
async function tidy(): Promise<void> {}
const isMember = guard(async function isMember(): Promise<void> {});
const names = (guards: string[], hooks: string[] = [], after: string[] = []): MethodAudit => ({ guards, hooks, after });

interface Choices {
  guard?: boolean;
  schema?: boolean;
  multi?: boolean | string[];
  max?: number;
  methods?: string[];
  hidden?: boolean;
  readOnly?: boolean;
}

function build({
  guard = true,
  schema = true,
  multi = ['create'],
  max = 50,
  methods,
  hidden = true,
  readOnly = true,
}: Choices = {}): Audit {
  const text = Type.String();
  const nested = Type.Object({ secret: hidden ? Hidden(text) : text });
  const role = readOnly ? ReadOnly(text) : text;
  const record = Type.Object({ id: Type.Integer(), text, password: Hidden(text), profile: nested, role });
  const app = framework();
  const options = { ...(schema ? { schema: serviceSchema({ record }) } : {}), ...(methods ? { methods } : {}) };
  app.use('notes', new MemoryService({ multi, paginate: { default: 10, max } }), options);
  app.service('notes').hooks({ before: { all: guard ? [authenticate('jwt')] : [], patch: [onlyOwn] }, after: { find: [tidy] } });
  return auditApplication(app);
}

const METHODS = ['create', 'find', 'get', 'patch', 'remove', 'update'];

/** An application whose adapter opens more of the database to callers than the common queries do. */
function opening(options: object): Audit {
  const app = framework();
  app.use('notes', { options, find: async () => [] });
  return auditApplication(app);
}

describe('S50 the audit', () => {
  it('tells methods, guards, other hooks, schema, hidden properties, multi and the largest page', () => {
    expect(build()).toEqual({
      notes: {
        methods: {
          ...Object.fromEntries(METHODS.map((name) => [name, names(['authenticate(jwt)'])])),
          find: names(['authenticate(jwt)'], [], ['tidy']),
          patch: names(['authenticate(jwt)'], ['onlyOwn']),
        },
        schema: true,
        hidden: ['password', 'profile.secret'],
        notSet: ['id', 'password', 'profile.secret', 'role'],
        multi: ['create'],
        largestPage: 50,
      },
    });
  });

  it('takes a hook for no guard of a method for which it says that it needs no credentials', () => {
    const needs = (open: readonly string[]): Audit => {
      const login = authenticating(
        async function loginForSome(): Promise<void> {},
        ({ method }) => (open.includes(method) ? undefined : { strategies: ['jwt'] }),
      );
      const own = framework();
      own.use('notes', new MemoryService());
      own.service('notes').hooks({ before: { all: [login] } });
      return auditApplication(own);
    };
    const found = needs(['find']);
    expect([found.notes?.methods.find, found.notes?.methods.get]).toEqual([names([], ['loginForSome']), names(['loginForSome'])]);
    expect(findRegressions(needs([]), found)).toEqual(["service 'notes', method 'find' has lost the guard loginForSome"]);
  });

  it('tells which authentication service a guard asks, where that is not the default one, and what asks another is a regression', () => {
    const guardedBy = (service?: string): Audit => {
      const app = framework();
      const settings = { secret: 'a secret that is long enough for tests 42', entity: null, authStrategies: [] };
      for (const key of ['authentication', 'adminAuthentication']) {
        app.set(key, settings);
        app.use(key === 'authentication' ? key : 'admin-authentication', new AuthenticationService(app, key));
      }
      app.use('orders', { get: async (id: number) => ({ id }) });
      const strategies = ['jwt'];
      app.service('orders').hooks({ before: { get: [authenticate(service === undefined ? { strategies } : { service, strategies })] } });
      return auditApplication(app);
    };
    const [usual, named, admin] = [guardedBy(), guardedBy('/authentication'), guardedBy('/admin-authentication')];
    for (const audit of [usual, named]) expect(audit.orders?.methods).toEqual({ get: names(['authenticate(jwt)']) });
    expect(admin.orders?.methods).toEqual({ get: names(['authenticate(jwt) of admin-authentication']) });
    expect(findRegressions(admin, usual)).toEqual([
      "service 'orders', method 'get' has lost the guard authenticate(jwt) of admin-authentication",
    ]);
    expect([findRegressions(usual, named), findRegressions(admin, admin)]).toEqual([[], []]);
  });

  it('takes no authentication service of a mounted application for the default one', () => {
    const withLogin = () => {
      const app = framework();
      app.set('authentication', { secret: 'a secret that is long enough for tests 42', entity: null, authStrategies: [] });
      app.use('authentication', new AuthenticationService(app));
      app.use('orders', { get: async (id: number) => ({ id }) });
      return app;
    };
    const [app, shop] = [withLogin(), withLogin()];
    app.use('shop', shop);
    const strategies = ['jwt'];
    shop.service('orders').hooks({ before: { get: [authenticate({ service: 'authentication', strategies }), authenticate('jwt')] } });
    app.service('orders').hooks({ before: { get: [authenticate({ service: 'shop/authentication', strategies })] } });
    expect(auditApplication(app)).toMatchObject({
      orders: { methods: { get: names(['authenticate(jwt) of shop/authentication']) } },
      'shop/orders': { methods: { get: names(['authenticate(jwt)', 'authenticate(jwt)']) } },
    });
  });

  it('tells of hooks of the application, and of functions without a name', () => {
    const app = framework();
    app.hooks({ around: { all: [async (_context: unknown, next: () => Promise<void>) => next()] } });
    app.use('echo', { get: async (id: number) => ({ id }) });
    app.service('echo').hooks({ around: { get: [authenticate('jwt', 'local')] }, before: { get: [isMember] } });
    expect(auditApplication(app).echo?.methods).toEqual({ get: names(['authenticate(jwt, local)', 'isMember'], ['(no name)']) });
  });

  it('tells of hooks without a name beside those of a schema', () => {
    const app = framework();
    const record = Type.Object({ id: Type.Integer(), secret: Hidden(Type.String()) });
    app.use('notes', new MemoryService(), { schema: serviceSchema({ record }), methods: ['find'] });
    app.service('notes').hooks({ before: { find: [(context) => void context.params] } });
    expect(auditApplication(app).notes?.methods).toEqual({ find: names([], ['(no name)']) });
  });

  it('tells what adapters and strategies keep secret, and what only some callers see', async () => {
    class PinStrategy extends AuthenticationBaseStrategy {
      readonly protectedFields = ['pin'];
      async authenticate(): Promise<AuthenticationResult> {
        return { authentication: { strategy: 'pin' } };
      }
    }
    const app = framework();
    app.set('authentication', { secret: 'x'.repeat(32), allowWeakSecret: true, entity: 'user', service: 'users', authStrategies: ['pin'] });
    const users = new MemoryService();
    app.use('users', Object.defineProperty(users, contributedRules, { value: { hidden: ['note.text'] } }));
    const authentication = new AuthenticationService(app);
    authentication.register('pin', new PinStrategy());
    app.use('authentication', authentication);
    const record = Type.Object({
      id: Type.Integer(),
      members: Type.Array(
        Type.Object({ salary: Field(Type.Number(), { readable: (params: { user: { boss: boolean } }) => params.user.boss }) }),
      ),
    });
    app.use('teams', new MemoryService(), { schema: serviceSchema({ record }) });
    await app.setup();
    expect(auditApplication(app)).toMatchObject({ users: { hidden: ['note.text', 'pin'] }, teams: { hidden: ['members.salary'] } });
  });

  it('tells of services of mounted applications, with the guards of the outer one', () => {
    const [app, inner] = [framework(), framework()];
    inner.use('notes', new MemoryService(), { methods: ['find'] });
    app.use('api/v1', inner);
    app.hooks({ around: { all: [authenticate('jwt')] } });
    inner.service('notes').hooks({ before: { find: [onlyOwn] } });
    inner.use('later', new MemoryService(), { methods: ['get'] });
    const audit = auditApplication(app);
    expect(Object.keys(audit)).toEqual(['api/v1/later', 'api/v1/notes']);
    expect(audit['api/v1/notes']?.methods).toEqual({ find: names(['authenticate(jwt)'], ['onlyOwn']) });
    expect(audit['api/v1/later']?.methods).toEqual({ get: names(['authenticate(jwt)']) });
  });

  it.each<[string, (inner: Application) => Parameters<Application['use']>]>([
    ['a router', (inner) => ['/api', Router().use('/v1', inner)]],
    ['a plain Express application', (inner) => ['/api', express().use('/v1', inner)]],
    ['its path', (inner) => ['/api/v1', inner]],
  ])(
    'tells of services of an application that requests reach by %s, by their whole path and with the guards of the outer one',
    async (_by, place) => {
      const app = express(framework()).configure(rest());
      const inner = express(framework()).configure(rest());
      inner.use('notes', new MemoryService(), { methods: ['find'] });
      app.hooks({ around: { all: [authenticate('jwt')] } });
      app.use(...place(inner));
      await app.setup();
      expect(auditApplication(app)).toMatchObject({ 'api/v1/notes': { methods: { find: names(['authenticate(jwt)']) } } });
    },
  );

  it.each<[string, Choices, string[]]>([
    [
      'hook that is gone',
      { guard: false },
      METHODS.map((name) => `service 'notes', method '${name}' has lost the guard authenticate(jwt)`),
    ],
    [
      'schema that is gone',
      { schema: false },
      [
        "service 'notes' has lost its schema",
        "service 'notes' does not hide 'password' any more",
        "service 'notes' does not hide 'profile.secret' any more",
        ...['id', 'password', 'profile.secret', 'role'].map((name) => `service 'notes' lets callers set '${name}' now`),
      ],
    ],
    [
      'property that is shown',
      { hidden: false },
      ["service 'notes' does not hide 'profile.secret' any more", "service 'notes' lets callers set 'profile.secret' now"],
    ],
    ['property that callers set', { readOnly: false }, ["service 'notes' lets callers set 'role' now"]],
    ['wider multi', { multi: true }, ["service 'notes' changes several records at once now (multi: true)"]],
    [
      'method of multi',
      { multi: ['create', 'remove'] },
      ['service \'notes\' changes several records at once now (multi: ["create","remove"])'],
    ],
    ['larger page', { max: 51 }, ["service 'notes' gives pages of 51 records, reviewed were 50"]],
  ])('finds a %s', (_what, change, problems) => {
    expect(findRegressions(build(), build(change))).toEqual(problems);
    expect(findRegressions(build(), build())).toEqual([]);
  });

  it('finds services and methods that nobody has reviewed', () => {
    const small = build({ methods: ['find', 'get'] });
    expect(findRegressions(small, build({ methods: ['find', 'get', 'remove'] }))).toEqual([
      "service 'notes', method 'remove' can be called from outside now",
    ]);
    expect(findRegressions({}, small)).toEqual(["service 'notes' is new: nobody has reviewed it"]);
  });

  it('takes more protection, and what is gone, as no regression', () => {
    expect(findRegressions(build({ guard: false, max: 90, multi: true }), build({ methods: ['find'], multi: false }))).toEqual([]);
    expect(findRegressions(build(), {})).toEqual([]);
  });

  it('finds a guard that became another hook, and what after hooks left out', () => {
    const reviewed = build({ methods: ['find'] });
    const service = reviewed.notes as ServiceAudit;
    const change = (method: MethodAudit): string[] => findRegressions(reviewed, { notes: { ...service, methods: { find: method } } });
    expect(change(names([], ['authenticate(jwt)'], ['tidy']))).toEqual([
      "service 'notes', method 'find' has lost the guard authenticate(jwt)",
    ]);
    expect(change(names(['authenticate(jwt)']))).toEqual(["service 'notes', method 'find' has lost the after hook tidy"]);
  });

  it('finds hooks that have changed places, and takes others between them as no regression', () => {
    async function addLinks(): Promise<void> {}
    async function onlyPublic(): Promise<void> {}
    const audited = (before: HookFunction[], after: HookFunction[]): Audit => {
      const app = framework();
      app.use('notes', new MemoryService(), { methods: ['find'] });
      app.service('notes').hooks({ before: { find: before }, after: { find: after } });
      return auditApplication(app);
    };
    const login = authenticate('jwt');
    const reviewed = audited([login, isMember, onlyOwn, onlyPublic], [addLinks, tidy, tidy]);
    const at = "service 'notes', method 'find' runs its";
    const change = (...hooks: Parameters<typeof audited>): string[] => findRegressions(reviewed, audited(...hooks));
    expect(change([login, isMember, onlyOwn, onlyPublic], [tidy, addLinks, tidy])).toEqual([
      `${at} after hooks in another order: tidy, addLinks, tidy; reviewed were addLinks, tidy, tidy`,
    ]);
    expect(change([isMember, onlyPublic, login, onlyOwn], [addLinks, tidy, tidy])).toEqual([
      `${at} guards in another order: isMember, authenticate(jwt); reviewed were authenticate(jwt), isMember`,
      `${at} hooks in another order: onlyPublic, onlyOwn; reviewed were onlyOwn, onlyPublic`,
    ]);
    // What is gone is told once, and what is new stands in nobody's way.
    expect(change([login, isMember, tidy, onlyOwn, addLinks], [addLinks, onlyOwn, tidy, tidy])).toEqual([
      "service 'notes', method 'find' has lost the hook onlyPublic",
    ]);
  });

  it('finds error hooks that are gone, and that have changed places: they may leave something out of errors', () => {
    async function hideCause(): Promise<void> {}
    const audited = (...hooks: HookFunction[]): Audit => {
      const app = framework();
      app.use('notes', new MemoryService(), { methods: ['find'] });
      app.service('notes').hooks({ error: { all: hooks } });
      return auditApplication(app);
    };
    const reviewed = audited(hideCause, tidy);
    expect(reviewed.notes?.methods.find).toEqual({ guards: [], hooks: [], after: [], errors: ['hideCause', 'tidy'] });
    expect(formatAudit(reviewed)).toContain('  find  no guard; errors: hideCause, tidy\n');
    expect(findRegressions(reviewed, audited(tidy))).toEqual(["service 'notes', method 'find' has lost the error hook hideCause"]);
    expect(findRegressions(reviewed, audited(tidy, hideCause))).toEqual([
      "service 'notes', method 'find' runs its error hooks in another order: tidy, hideCause; reviewed were hideCause, tidy",
    ]);
    // Files of before know of none.
    expect(audited().notes?.methods.find).toEqual(names([]));
    expect(findRegressions(audited(), reviewed)).toEqual([]);
  });

  it('takes a property as hidden when what is around it is, and not the other way', () => {
    const service = build().notes as ServiceAudit;
    const whole = { notes: { ...service, hidden: ['password', 'profile'] } };
    expect(findRegressions({ notes: service }, whole)).toEqual([]);
    expect(findRegressions(whole, { notes: service })).toEqual(["service 'notes' does not hide 'profile' any more"]);
  });

  it('takes a property as one that nobody sets when what is around it is, hidden ones too, and what is written alone for none', () => {
    const of = (field: (text: ReturnType<typeof Type.String>) => ReturnType<typeof Type.String>): Audit => {
      const app = framework();
      const record = Type.Object({ id: Type.Integer(), role: field(Type.String()) });
      app.use('notes', new MemoryService(), { schema: serviceSchema({ record }) });
      return auditApplication(app);
    };
    const [fixed, hidden, written] = [of(ReadOnly), of(Hidden), of(WriteOnly)];
    expect([fixed, hidden, written].map(({ notes }) => notes?.notSet)).toEqual([['id', 'role'], ['id', 'role'], ['id']]);
    expect(findRegressions(fixed, hidden)).toEqual([]);
    expect(findRegressions(fixed, written)).toEqual(["service 'notes' lets callers set 'role' now"]);
    const service = build().notes as ServiceAudit;
    expect(findRegressions({ notes: { ...service, notSet: ['profile.secret'] } }, { notes: { ...service, notSet: ['profile'] } })).toEqual(
      [],
    );
  });

  it('is printed for people', () => {
    const service = build().notes as ServiceAudit;
    expect(
      formatAudit({ notes: { ...service, methods: { find: names([], [], ['tidy']), patch: names(['authenticate(jwt)'], ['onlyOwn']) } } }),
    ).toBe(
      [
        'notes',
        '  find   no guard; after: tidy',
        '  patch  guards: authenticate(jwt); hooks: onlyOwn',
        '  schema: yes; hidden: password, profile.secret; not set: id, password, profile.secret, role; multi: create; largest page: 50',
      ].join('\n'),
    );
  });

  it('refuses what is no application', () => {
    for (const value of [undefined, null, {}, 5]) expect(() => auditApplication(value as never)).toThrow('needs an application');
  });
});

describe('S50 what an adapter opens to callers', () => {
  const options = { operators: ['$regex'], filters: ['$search'], updateOperators: ['$inc', '$addToSet'], paths: ['author.name'] };
  const opened = ['filters: $search', 'operators: $regex', 'paths: author.name', 'updateOperators: $addToSet', 'updateOperators: $inc'];

  it('is told, where there is something', () => {
    expect(opening(options)).toMatchObject({ notes: { opened } });
    expect(formatAudit(opening(options))).toContain(`largest page: not limited; opened: ${opened.join(', ')}`);
    expect(opening({ operators: [] }).notes).not.toHaveProperty('opened');
  });

  it.each(['operators', 'filters', 'updateOperators', 'paths'] as const)('is a regression where it became more: %s', (name) => {
    const more = { ...options, [name]: [...options[name], '$more'] };
    expect(findRegressions(opening(options), opening(more))).toEqual([`service 'notes' opens '${name}: $more' to callers now`]);
    expect(findRegressions(opening(more), opening(options))).toEqual([]);
    expect(findRegressions(opening({}), opening({ [name]: ['$more'] }))).toEqual([`service 'notes' opens '${name}: $more' to callers now`]);
  });
});

describe('S50 who gets events', () => {
  type Configured = ReturnType<typeof withNotes>;
  function withNotes() {
    const app = framework().configure(channels());
    return app.use('notes', new MemoryService(), { methods: ['create'] });
  }
  const audited = (configure: (app: Configured) => void): Audit => {
    const app = withNotes();
    configure(app);
    return auditApplication(app);
  };
  const toOwner = () => undefined;
  const toAll = () => undefined;
  const EVENTS = ['created', 'patched', 'removed', 'updated'];

  it('is told by the publisher, that of the service or else that of the application', () => {
    const found = audited((app) => {
      app.publish(toAll);
      app.publish('removed', toOwner);
      app.service('notes').publish('created', toOwner);
      app.service('notes').publish('patched', () => undefined);
    });
    const events = ['created: toOwner', 'patched: (no name)', 'removed: toOwner of the application', 'updated: toAll of the application'];
    expect(found.notes?.events).toEqual(events);
    expect(formatAudit(found)).toContain(`\n  events: ${events.join(', ')}`);
  });

  it('is not told where nobody gets any', () => {
    expect(audited(() => undefined).notes).not.toHaveProperty('events');
    const withoutChannels = framework().use('notes', new MemoryService());
    expect(auditApplication(withoutChannels).notes).not.toHaveProperty('events');
  });

  it('tells no events of a service that is for the server alone by the publisher of all', () => {
    const found = audited((app) => {
      app.publish(toAll);
      keepUnpublished(app.service('notes'));
    });
    expect(found.notes).not.toHaveProperty('events');
  });

  it('tells events of its own, and the publishers of a mounted application that has the service', () => {
    const [app, inner, other] = [framework().configure(channels()), framework().configure(channels()), framework().configure(channels())];
    inner.use('notes', new MemoryService(), { methods: ['create'], events: ['read'] });
    app.use('inner', inner);
    app.use('other', other);
    app.publish('read', toAll);
    inner.publish(toOwner);
    other.publish(() => undefined);
    const ofInner = [...EVENTS, 'read'].map((event) => `${event}: toOwner of the application`);
    expect(auditApplication(app)['inner/notes']?.events).toEqual([...ofInner, 'read: toAll of the application'].sort());
    // The publisher of a service is the same in both.
    inner.service('notes').publish(toOwner);
    expect(auditApplication(app)['inner/notes']?.events).toEqual([...EVENTS, 'read'].sort().map((event) => `${event}: toOwner`));
  });

  it('is a regression where an event is published that was not, and where another publisher decides; less is none', () => {
    const none = audited(() => undefined);
    const byOwner = audited((app) => void app.service('notes').publish('created', toOwner));
    const byAll = audited((app) => void app.publish('created', toAll));
    expect(findRegressions(none, byOwner)).toEqual(["service 'notes' publishes 'created: toOwner' now"]);
    expect(findRegressions(byOwner, byAll)).toEqual(["service 'notes' publishes 'created: toAll of the application' now"]);
    expect([findRegressions(byOwner, none), findRegressions(byOwner, byOwner)]).toEqual([[], []]);
  });
});
