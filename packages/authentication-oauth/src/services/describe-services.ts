import type { MethodDescription, ServiceDescription } from '@framework/core';
import type { OAuthHost } from '../host.ts';
import { ANSWER_PARAMETER, LINK_TOKEN, LOGIN_PARAMETER, POSTED_NAME, SIGNED_TOKEN } from '../lengths.ts';
import { ANSWER_NAMES, STATE } from './answer-parameters.ts';
import { CHALLENGE, PASSED_ON } from './login-parameters.ts';

const NOTHING = { type: 'null' };
const ELSEWHERE: MethodDescription = { redirects: 'always', result: NOTHING };
const answered = { type: 'string', minLength: 1, maxLength: ANSWER_PARAMETER };
const ANSWER = { ...Object.fromEntries(ANSWER_NAMES.map((name) => [name, answered])), state: { type: 'string', pattern: STATE.source } };
const parameter = { type: 'string', maxLength: LOGIN_PARAMETER };
const REDIRECT = { ...parameter, description: 'Where the browser goes after the login.' };
const PASSED = Object.fromEntries(PASSED_ON.map((name) => [name, { ...parameter, description: 'Goes on to the provider.' }]));
const BEGIN = {
  redirect: REDIRECT,
  code_challenge: { type: 'string', pattern: CHALLENGE.source },
  code_challenge_method: { const: 'S256' },
  ...PASSED,
};

/** What all services of a flow have: the providers that there are. */
function ofProviders({ settings }: OAuthHost, words: string, methods: Readonly<Record<string, MethodDescription>>): ServiceDescription {
  return { text: words, methods, placeholders: { provider: { type: 'string', enum: [...settings.providers.keys()] } } };
}

/** The service that begins logins, for tools that describe applications. */
export function describeBegin(host: OAuthHost): ServiceDescription {
  const linkToken = { type: 'string', maxLength: LINK_TOKEN, description: 'Access token of whoever links an identity.' };
  return ofProviders(host, 'Logs in with other providers, and links their identities.', {
    find: {
      summary: 'Log in at a provider',
      description: 'Sends the browser to the provider, with a cookie that its answer needs.',
      query: { ...BEGIN, ...(host.settings.linkToken === 'query' ? { feathers_token: linkToken } : {}) },
      ...ELSEWHERE,
      errors: [404, 503],
    },
    create: {
      summary: 'Link an identity',
      description: 'Gives the address at which the caller links an identity of the provider.',
      data: { type: 'object', properties: BEGIN, additionalProperties: false },
      status: 200,
      result: { type: 'object', properties: { location: { type: 'string', format: 'uri' } }, required: ['location'] },
      errors: [401, 403, 404, 503],
    },
  });
}

/** The service that takes answers of providers. */
export function describeCallback(host: OAuthHost): ServiceDescription {
  const { path, settings } = host;
  // Without an address to go back to the callback answers itself, with the login.
  const answers: MethodDescription =
    settings.redirect === undefined && settings.origins.length === 0
      ? {
          result: { type: 'object', properties: { accessToken: { type: 'string' } }, description: `As a login at /${path} gives.` },
        }
      : ELSEWHERE;
  const both = {
    summary: 'End a login at a provider',
    description: 'The provider sends the browser here.',
    errors: [401, 404, 503],
    ...answers,
  };
  return ofProviders(host, 'Takes the answers of providers.', {
    find: { ...both, query: ANSWER },
    create: {
      ...both,
      summary: 'End a login at a provider that posts its answer',
      data: { type: 'object', properties: { ...ANSWER, user: { type: 'string', maxLength: POSTED_NAME } }, required: ['state'] },
      dataType: 'application/x-www-form-urlencoded',
    },
  });
}

/** The service that sends browsers to where they log out at the provider. */
export function describeLogout(host: OAuthHost): ServiceDescription {
  return ofProviders(host, 'Logs out at providers.', {
    find: { summary: 'Log out at a provider', query: { redirect: REDIRECT }, ...ELSEWHERE, errors: [404, 503] },
  });
}

/** The service that providers tell of logouts. */
export function describeBackchannel(host: OAuthHost): ServiceDescription {
  return ofProviders(host, 'Takes logouts from providers.', {
    create: {
      summary: 'End the sessions of a login',
      description: 'The provider sends a signed logout token (OpenID Connect Back-Channel Logout 1.0).',
      data: { type: 'object', properties: { logout_token: { type: 'string', maxLength: SIGNED_TOKEN } }, required: ['logout_token'] },
      dataType: 'application/x-www-form-urlencoded',
      result: NOTHING,
      status: 200,
      errors: [404, 503],
    },
  });
}
