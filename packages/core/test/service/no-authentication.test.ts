import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { framework, noAuthentication } from '../../src/index.ts';

const made = () => framework<object, { defaultAuthentication: string }>();

let warned: jest.SpiedFunction<typeof process.emitWarning>;
beforeEach(() => {
  warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
});
afterEach(() => warned.mockRestore());

it('is the error of a caller that no service can let in', () => {
  expect(noAuthentication(framework())).toMatchObject({
    name: 'NotAuthenticated',
    code: 401,
    message: 'Could not find a valid authentication service',
  });
});

it.each<[string, (app: ReturnType<typeof made>) => unknown, string | undefined, string]>([
  ['none', (app) => app, undefined, "yet: app.use('authentication', new AuthenticationService(app))"],
  [
    'none of the setting',
    (app) => app.set('defaultAuthentication', 'login'),
    undefined,
    "with the configKey 'login', which the setting defaultAuthentication names: register it by app.use(…)",
  ],
  ['none of a path', (app) => app.set('defaultAuthentication', 'login'), 'v1/login', "at 'v1/login'"],
])('tells whoever runs the application, once, that there is %s', (_title, change, path, told) => {
  const app = made();
  change(app);
  for (let call = 0; call < 2; call += 1) noAuthentication(app, path);
  expect(warned.mock.calls).toEqual([
    [`A guard lets nobody in, as the application has no authentication service ${told}`, { code: 'NO_AUTHENTICATION' }],
  ]);
  noAuthentication(framework());
  expect(warned).toHaveBeenCalledTimes(2);
});
