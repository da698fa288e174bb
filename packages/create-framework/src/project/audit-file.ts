import type { ProjectOptions } from '../project-options.ts';

/** What `framework-audit` says of one method. */
interface AuditedMethod {
  readonly guards: readonly string[];
  readonly hooks: readonly string[];
  readonly after: readonly string[];
}

const METHODS = ['create', 'find', 'get', 'patch', 'remove', 'update'] as const;
const EVENTS = ['created', 'patched', 'removed', 'updated'] as const;
type Method = (typeof METHODS)[number];

/**
 * The file `audit.json` of a project as it comes out: what `framework-audit --update` writes for it, which its tests compare. Whoever changes hooks in the
 * templates changes it here.
 */
export function auditFile({ login, database, realTime }: ProjectOptions): string {
  const loggedIn = login !== 'none';
  const memory = database.kind === 'memory';
  const guards = loggedIn ? ['authenticate(jwt)'] : [];
  const own = (name: Method): string[] => (loggedIn && name !== 'create' && name !== 'find' && name !== 'get' ? ['onlyOwn'] : []);
  const services: Record<string, object> = {
    health: audited({ find: method([], []) }),
    'openapi.json': audited({ find: { guards: [], hooks: [], after: ['tagged'] } }),
    messages: audited(Object.fromEntries(METHODS.map((name) => [name, method(guards, own(name))])), {
      schema: true,
      notSet: ['_id', 'createdAt', ...(loggedIn ? ['userId'] : [])],
      largestPage: 100,
      ...(realTime === 'none' ? {} : { events: EVENTS.map((event) => `${event}: ${loggedIn ? 'toLoggedIn' : 'toEverybody'}`) }),
    }),
  };
  if (loggedIn) Object.assign(services, loginServices(memory, login === 'oauth'));
  const sorted = Object.fromEntries(Object.entries(services).sort(([a], [b]) => (a < b ? -1 : 1)));
  return `${JSON.stringify(sorted, undefined, 2)}\n`;
}

function loginServices(memory: boolean, oauth: boolean): Record<string, object> {
  const login = ['announceLogin', 'followLogin', 'setLoginCookies'];
  const address = memory ? ['oneAddress'] : [];
  const hash = 'hashPassword(password)';
  const guards = ['authenticate(jwt)'];
  const users: Record<Method, AuditedMethod> = {
    create: method([], [...address, hash]),
    find: method(guards, ['onlyOneself']),
    get: method(guards, ['onlyOneself']),
    // What ends the sessions of a user with its password stands around.
    patch: method(guards, [...address, 'around', 'onlyOneself', hash, 'before']),
    remove: method(guards, ['around', 'onlyOneself', 'before']),
    update: method(guards, [...address, 'around', 'onlyOneself', hash, 'before']),
  };
  const ownSessions = method(['authenticate(jwt, local)'], []);
  return {
    authentication: audited({ create: method([], [...login, 'lowerCaseLogin']), remove: method([], login) }),
    'authentication/sessions': audited({ find: ownSessions, remove: ownSessions }),
    sessions: audited({}, { multi: memory }),
    users: audited(users, { schema: true, hidden: ['password'], notSet: ['_id', ...(oauth ? ['githubId'] : [])], largestPage: 100 }),
  };
}

const method = (guards: readonly string[], hooks: readonly string[]): AuditedMethod => ({ guards, hooks, after: [] });

function audited(methods: Readonly<Record<string, AuditedMethod>>, others: object = {}): object {
  return { methods, schema: false, hidden: [], notSet: [], multi: false, largestPage: null, ...others };
}
