// Verifying an access token: `jose` alone, ours the first time and with the token known, and the incumbent.
import authentication from '@feathersjs/authentication';
import feathers from '@feathersjs/feathers';
import { AuthenticationService, JWTStrategy } from '@framework/authentication';
import { framework } from '@framework/core';
import { createSecretKey } from 'node:crypto';
import { jwtVerify } from 'jose';
import { compare } from '../measure/compare.mjs';
import { withInterval } from '../measure/table.mjs';

const SECRET = 'a secret of more than thirty-two bytes, for benchmarks';

function serviceOf(app, Service, Strategy) {
  app.set('authentication', { secret: SECRET, entity: null, authStrategies: ['jwt'] });
  const service = new Service(app);
  service.register('jwt', new Strategy());
  app.use('authentication', service);
  return service;
}

export async function tokens() {
  const ours = serviceOf(framework(), AuthenticationService, JWTStrategy);
  const theirs = serviceOf(feathers(), authentication.AuthenticationService, authentication.JWTStrategy);
  const [token, other] = [await ours.createAccessToken({ some: 'claim' }), await theirs.createAccessToken({ some: 'claim' })];
  const key = createSecretKey(SECRET);
  const works = {
    'jose alone': async () => (await jwtVerify(token, key)).payload,
    'ours, not known': () => ours.verifyAccessToken(token, {}),
    'ours, known': () => ours.verifyAccessToken(token),
    incumbent: () => theirs.verifyAccessToken(other),
  };
  for (const [name, work] of Object.entries(works)) if ((await work()).some !== 'claim') throw new Error(`${name}: another answer`);
  const { ratio } = await compare(works);
  const figures = Object.fromEntries(Object.keys(works).map((name) => [name, ratio(name)]));
  return {
    figures,
    head: ['Verifying an access token', 'x `jose` alone'],
    rows: Object.entries(figures).map(([name, figure]) => [name, withInterval(figure)]),
  };
}
