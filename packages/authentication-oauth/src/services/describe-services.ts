import type { MethodDescription, ServiceDescription } from '@framework/core';
import type { OAuthHost } from '../host.ts';

const text = { type: 'string', maxLength: 1024 };
const NOTHING = { type: 'null' };
const ELSEWHERE: MethodDescription = { redirects: 'always', result: NOTHING };
const ANSWER = { code: text, state: text, iss: text, error: text };
const BEGIN = {
  redirect: { type: 'string', maxLength: 1024, description: 'Where the browser goes after the login.' },
  code_challenge: text,
};

/** What all services of a flow have: the providers that there are. */
function ofProviders({ settings }: OAuthHost, words: string, methods: Readonly<Record<string, MethodDescription>>): ServiceDescription {
  return { text: words, methods, placeholders: { provider: { type: 'string', enum: [...settings.providers.keys()] } } };
}

/** The service that begins logins, for tools that describe applications. */
export function describeBegin(host: OAuthHost): ServiceDescription {
  const query = { ...BEGIN, code_challenge_method: { const: 'S256' } };
  const linkToken = { type: 'string', maxLength: 8192, description: 'Access token of whoever links an identity.' };
  return ofProviders(host, 'Logs in with other providers, and links their identities.', {
    find: {
      summary: 'Log in at a provider',
      description: 'Sends the browser to the provider, with a cookie that its answer needs.',
      query: { ...query, ...(host.settings.linkToken === 'query' ? { feathers_token: linkToken } : {}) },
      ...ELSEWHERE,
      errors: [404, 503],
    },
    create: {
      summary: 'Link an identity',
      description: 'Gives the address at which the caller links an identity of the provider.',
      data: { type: 'object', properties: query },
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
          status: 200,
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
      data: { type: 'object', properties: { ...ANSWER, user: text } },
      dataType: 'application/x-www-form-urlencoded',
    },
  });
}

/** The service that sends browsers to where they log out at the provider. */
export function describeLogout(host: OAuthHost): ServiceDescription {
  return ofProviders(host, 'Logs out at providers.', {
    find: { summary: 'Log out at a provider', query: { redirect: BEGIN.redirect }, ...ELSEWHERE, errors: [404, 503] },
  });
}

/** The service that providers tell of logouts. */
export function describeBackchannel(host: OAuthHost): ServiceDescription {
  return ofProviders(host, 'Takes logouts from providers.', {
    create: {
      summary: 'End the sessions of a login',
      description: 'The provider sends a signed logout token (OpenID Connect Back-Channel Logout 1.0).',
      data: { type: 'object', properties: { logout_token: { type: 'string', maxLength: 16_384 } }, required: ['logout_token'] },
      dataType: 'application/x-www-form-urlencoded',
      result: NOTHING,
      status: 200,
      errors: [404, 503],
    },
  });
}
