import { expect, it } from '@jest/globals';
import { providerError, reasonOf } from '../src/errors.ts';

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
