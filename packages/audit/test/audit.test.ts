import { authenticate } from '@framework/authentication';
import { framework } from '@framework/core';
import { MemoryService } from '@framework-internal/testing';
import { Hidden, serviceSchema, Type } from '@framework/schema';
import { describe, expect, it } from '@jest/globals';
import { auditApplication, findRegressions, formatAudit, type Audit } from '../src/index.ts';

async function onlyOwn(): Promise<void> {}

interface Choices {
  guard?: boolean;
  schema?: boolean;
  multi?: boolean | string[];
  max?: number;
  methods?: string[];
  hidden?: boolean;
}

function build({ guard = true, schema = true, multi = ['create'], max = 50, methods, hidden = true }: Choices = {}): Audit {
  const text = Type.String();
  const nested = Type.Object({ secret: hidden ? Hidden(text) : text });
  const record = Type.Object({ id: Type.Integer(), text, password: Hidden(text), profile: nested });
  const app = framework();
  const options = { ...(schema ? { schema: serviceSchema({ record }) } : {}), ...(methods ? { methods } : {}) };
  app.use('notes', new MemoryService({ multi, paginate: { default: 10, max } }), options);
  app.service('notes').hooks({ before: { all: guard ? [authenticate('jwt')] : [], patch: [onlyOwn] }, after: { all: [onlyOwn] } });
  return auditApplication(app);
}

const METHODS = ['create', 'find', 'get', 'patch', 'remove', 'update'];

describe('S50 the audit', () => {
  it('tells methods, hooks in front of them, schema, hidden properties, multi and the largest page', () => {
    expect(build()).toEqual({
      notes: {
        methods: Object.fromEntries(
          METHODS.map((name) => [name, name === 'patch' ? ['authenticate(jwt)', 'onlyOwn'] : ['authenticate(jwt)']]),
        ),
        schema: true,
        hidden: ['password', 'profile.secret'],
        multi: ['create'],
        largestPage: 50,
      },
    });
  });

  it('tells of hooks of the application, and of functions without a name', () => {
    const app = framework();
    app.hooks({ around: { all: [async (_context: unknown, next: () => Promise<void>) => next()] } });
    app.use('echo', { get: async (id: number) => ({ id }) });
    app.service('echo').hooks({ around: { get: [authenticate('jwt', 'local')] } });
    expect(auditApplication(app).echo?.methods).toEqual({ get: ['(no name)', 'authenticate(jwt, local)'] });
  });

  it('tells of hooks without a name beside those of a schema', () => {
    const app = framework();
    const record = Type.Object({ id: Type.Integer(), secret: Hidden(Type.String()) });
    app.use('notes', new MemoryService(), { schema: serviceSchema({ record }), methods: ['find'] });
    app.service('notes').hooks({ before: { find: [(context) => void context.params] } });
    expect(auditApplication(app).notes?.methods).toEqual({ find: ['(no name)'] });
  });

  it.each<[string, Choices, string[]]>([
    ['hook that is gone', { guard: false }, METHODS.map((name) => `service 'notes', method '${name}' has lost the hook authenticate(jwt)`)],
    [
      'schema that is gone',
      { schema: false },
      [
        "service 'notes' has lost its schema",
        "service 'notes' does not hide 'password' any more",
        "service 'notes' does not hide 'profile.secret' any more",
      ],
    ],
    ['property that is shown', { hidden: false }, ["service 'notes' does not hide 'profile.secret' any more"]],
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

  it('is printed for people', () => {
    expect(formatAudit(build({ methods: ['find', 'patch'], guard: false }))).toBe(
      [
        'notes',
        '  find   no hook in front',
        '  patch  onlyOwn',
        '  schema: yes; hidden: password, profile.secret; multi: create; largest page: 50',
      ].join('\n'),
    );
  });

  it('refuses what is no application', () => {
    for (const value of [undefined, null, {}, 5]) expect(() => auditApplication(value as never)).toThrow('needs an application');
  });
});
