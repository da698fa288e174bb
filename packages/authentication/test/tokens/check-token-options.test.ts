import { describe, expect, it } from '@jest/globals';
import { checkCommonTokenOptions, checkTokenOptions } from '../../src/tokens/check-token-options.ts';
import { seconds } from '../../src/tokens/duration.ts';

const check = (options: object) => () => {
  checkTokenOptions(options, 'options');
};

describe('the values of token options', () => {
  it.each([
    { header: { typ: 'access' } },
    { audience: 'a' },
    { audience: ['a', 'b'] },
    { issuer: ['a'] },
    { algorithm: 'HS256' },
    { algorithm: ['ES256', 'EdDSA'] },
    { algorithms: ['HS256'] },
    { expiresIn: 60, notBefore: '1m', maxAge: '2 hours' },
    { subject: 's', jwtid: 'j', keyid: 'k', nonce: 'n' },
    { clockTolerance: 0, clockTimestamp: 1 },
    { audience: undefined, header: undefined, anything: undefined },
  ])('%j is taken', (options) => {
    expect(check(options)).not.toThrow();
  });

  const texts = 'a text or a list of texts';
  it.each([
    ['header', null, 'an object'],
    ['header', [], 'an object'],
    ['header', 'x', 'an object'],
    ['audience', '', texts],
    ['audience', [], texts],
    ['audience', ['a', 5], texts],
    ['audience', { length: 1 }, texts],
    ['issuer', ['a', ''], texts],
    ['algorithm', 'none', 'one of HS256, HS384'],
    ['algorithm', ['HS256', 'none'], 'one of HS256, HS384'],
    ['algorithms', 'HS256', 'a list of HS256, HS384'],
    ['algorithms', ['HS256', 'none'], 'a list of HS256, HS384'],
    ['expiresIn', true, 'seconds or a length of time'],
    ['expiresIn', ['1d'], 'seconds or a length of time'],
    ['subject', 5, 'a text'],
    ['jwtid', '', 'a text'],
    ['clockTolerance', -1, '0 to 60 seconds'],
    ['clockTolerance', '5', '0 to 60 seconds'],
    ['clockTimestamp', 0, 'seconds since 1970'],
    ['clockTimestamp', '5', 'seconds since 1970'],
  ])('%s can not be %j', (name, value, expected) => {
    expect(check({ [name]: value })).toThrow(`options: "${name}" must be ${expected}`);
  });

  it('a length of time that is none is named with its option, and its own message', () => {
    expect(check({ maxAge: 'soon' })).toThrow("options.maxAge: 'soon' is no length of time");
  });

  it('an unknown option is answered with those that there are', () => {
    expect(check({ expires: 1 })).toThrow("'options.expires' is no token option. There are header, audience, issuer");
  });

  it('clocks of all tokens may differ by a minute, and no more', () => {
    const common = (options: object) => () => {
      checkCommonTokenOptions(options, 'jwtOptions');
    };
    expect(common({ clockTolerance: 60 })).not.toThrow();
    expect(common({ clockTolerance: 61 })).toThrow("'jwtOptions.clockTolerance' must be 0 to 60 seconds");
    for (const name of ['subject', 'jwtid', 'nonce'])
      expect(common({ [name]: 'x' })).toThrow(`'jwtOptions.${name}' is for one token: give it to the call that makes or verifies it`);
  });
});

describe('the life of all tokens', () => {
  it.each([0, -1, 0.5, '500ms', '-1d', '10ms'])('of %j would be over when they are made, and is refused', (life) => {
    for (const name of ['expiresIn', 'maxAge']) {
      const said = `'jwtOptions.${name}' is a second or more, and not '${String(life)}': no token would count`;
      expect(() => {
        checkCommonTokenOptions({ [name]: life }, 'jwtOptions');
      }).toThrow(said);
      expect(check({ [name]: life })).not.toThrow();
    }
  });

  it.each([1, '1s', '1000ms', undefined])('may be %j', (life) => {
    expect(() => {
      checkCommonTokenOptions({ expiresIn: life, maxAge: life, notBefore: 0 }, 'jwtOptions');
    }).not.toThrow();
  });
});

describe('lengths of time', () => {
  it.each([
    [90, 90],
    [1.9, 1],
    ['90s', 90],
    ['2 mins', 120],
    [' 1.25 Hours ', 4500],
    ['1d', 86_400],
    ['2 weeks', 1_209_600],
    ['1y', 31_557_600],
    ['1500ms', 1],
    ['1999ms', 1],
    ['-1 min', -60],
  ])('%p is %p seconds', (value, expected) => {
    expect(seconds(value)).toBe(expected);
  });

  it.each([Number.NaN, Infinity, '', 'd', '1 d x', 'x 1 d', '1.d', '1 month', 'in 1d', '1d2', null, {}])('%p is none', (value) => {
    expect(() => seconds(value as never)).toThrow('is no length of time. Use seconds');
  });

  it.each(['3600', ' 900 ', '0', '1.5', '-5'])('%j has no unit, and is neither seconds nor milliseconds', (value) => {
    const said = `'${value}' has no unit. Use a number of seconds, or a text such as '${value.trim()}s'`;
    expect(() => seconds(value)).toThrow(said);
    for (const name of ['expiresIn', 'maxAge', 'notBefore']) expect(check({ [name]: value })).toThrow(`options.${name}: ${said}`);
  });
});

describe('the algorithm that tokens are signed by', () => {
  it.each<[object, string]>([
    [{ algorithms: ['HS512'] }, 'HS256'],
    [{ algorithm: 'HS512', algorithms: ['HS256'] }, 'HS512'],
    [{ algorithm: ['ES256', 'RS256'], algorithms: ['RS256'] }, 'ES256'],
  ])('has to be one of those that count: %j', (options, own) => {
    expect(() => {
      checkCommonTokenOptions(options, 'jwtOptions');
    }).toThrow(
      new TypeError(
        `'jwtOptions.algorithms' leaves '${own}' out, by which tokens are signed, so that none would count: set 'jwtOptions.algorithm' to one of them, or add it`,
      ),
    );
    expect(check(options)).not.toThrow();
  });

  it.each([
    [{}],
    [{ algorithm: 'HS512' }],
    [{ algorithms: ['HS512', 'HS256'] }],
    [{ algorithm: ['ES256', 'RS256'], algorithms: ['ES256'] }],
    [{ algorithm: undefined, algorithms: undefined }],
  ])('is one of those that count in %j', (options) => {
    expect(() => {
      checkCommonTokenOptions(options, 'jwtOptions');
    }).not.toThrow();
  });
});
