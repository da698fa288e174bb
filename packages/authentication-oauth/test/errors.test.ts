import { expect, it } from '@jest/globals';
import { ResponseBodyError } from 'openid-client';
import { errorCode, providerError, reasonOf } from '../src/errors.ts';

it('a refusal of an application stays what it is, whichever copy of the errors it was made by', () => {
  const ofAnotherCopy = Object.assign(new Error('Not from here'), {
    [Symbol.for('@framework/error')]: true,
    name: 'Forbidden',
    className: 'forbidden',
    code: 403,
  });
  expect(providerError(ofAnotherCopy)).toBe(ofAnotherCopy);
  expect(reasonOf(ofAnotherCopy)).toBe('Forbidden: Not from here');
});

it.each([
  [429, 'slow_down', 'unavailable'],
  [400, 'temporarily_unavailable', 'unavailable'],
  [400, 'invalid_grant', 'failed'],
])('an answer of a provider with %i and %s is told as %s', (status, error, told) => {
  const response = new Response(null, { status });
  const answer = new ResponseBodyError('refused', { cause: { error }, response });
  expect(errorCode(providerError(answer))).toBe(told);
});
