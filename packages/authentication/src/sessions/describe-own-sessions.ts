import type { ServiceDescription } from '@framework/core';

const text = { type: 'string' };
const time = { type: 'string', format: 'date-time' };
const maybe = (schema: object): object => ({ anyOf: [schema, { type: 'null' }] });

const SESSION = {
  type: 'object',
  properties: {
    id: text,
    kind: { type: 'string', enum: ['token', 'key'], description: 'Absent for a login.' },
    createdAt: time,
    usedAt: time,
    expiresAt: maybe(time),
    address: maybe(text),
    agent: maybe(text),
    name: maybe(text),
    scopes: maybe({ type: 'array', items: text }),
    via: text,
    current: { type: 'boolean', description: 'Whether the call came with a token of this session.' },
  },
  required: ['id', 'createdAt', 'usedAt', 'expiresAt', 'address', 'agent', 'current'],
};
const SESSIONS = { type: 'array', items: SESSION };

/** What the service of a caller's own sessions takes and gives. */
export const OWN_SESSIONS: ServiceDescription = {
  text: 'The sessions, machine tokens and API keys of the caller.',
  methods: {
    find: { summary: 'List your sessions', result: SESSIONS, errors: [400, 401, 503] },
    remove: {
      summary: 'End one of your sessions, or all',
      ids: 'either',
      result: { anyOf: [SESSION, SESSIONS] },
      errors: [400, 401, 404, 503],
    },
  },
};
