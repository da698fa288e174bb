// What test files import from `@jest/globals`, outside of Jest: its own parts, without its way of loading modules.
import { jestExpect } from '@jest/expect';
import { ModuleMocker } from 'jest-mock';

export { afterAll, afterEach, beforeAll, beforeEach, describe, it, test } from 'jest-circus';
export { jestExpect as expect } from '@jest/expect';

const mocker = new ModuleMocker(globalThis);
export const jest = {
  fn: mocker.fn.bind(mocker),
  spyOn: mocker.spyOn.bind(mocker),
  restoreAllMocks: mocker.restoreAllMocks.bind(mocker),
};

/** Takes back what a test has spied on and expected of itself. */
export function forgetTest() {
  mocker.restoreAllMocks();
  jestExpect.setState({ assertionCalls: 0, expectedAssertionsNumber: null, isExpectingAssertions: false, suppressedErrors: [] });
}

/** @returns {Error[]} what `expect.assertions()` and `expect.hasAssertions()` find at the end of a test */
export function missedAssertions() {
  const errors = jestExpect.extractExpectedAssertionsErrors().map(({ error }) => error);
  return [...errors, ...jestExpect.getState().suppressedErrors];
}
