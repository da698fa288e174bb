import { describe, expect, it } from '@jest/globals';
import { BadRequest, FrameworkError, GeneralError, isFault, NotFound, Unavailable } from '../src/index.ts';

describe('isFault', () => {
  it.each<[string, FrameworkError, boolean]>([
    ['an error of 500 and above', new Unavailable('Later'), true],
    ['an error below', new NotFound('None'), false],
    [
      'one below that holds one of 500',
      new BadRequest('Resolving', { errors: { age: new NotFound('None'), name: new GeneralError('No') } }),
      true,
    ],
    ['one below that holds such ones alone', new BadRequest('Resolving', { errors: { age: new NotFound('None') } }), false],
    [
      'one below whose errors are nothing by property',
      Object.assign(new BadRequest('x'), { errors: { a: null, b: 500, c: { code: 'x' } } }),
      false,
    ],
    ['one below with a list of problems', new BadRequest('x', { errors: [{ path: 'a', code: 500 }] }), false],
    ['one below whose errors are a text', Object.assign(new BadRequest('x'), { errors: 'code' }), false],
    ['one below whose errors are null', Object.assign(new BadRequest('x'), { errors: null }), false],
  ])('tells of %s', (_what, error, fault) => {
    expect(isFault(error)).toBe(fault);
  });
});
