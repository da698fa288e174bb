// What test files import from `@jest/globals`, outside of Jest: its own parts, without its way of loading modules.
import { jestExpect } from '@jest/expect';
import { ModuleMocker } from 'jest-mock';

export { afterAll, afterEach, beforeAll, beforeEach, describe, it, test } from 'jest-circus';
export { jestExpect as expect } from '@jest/expect';

const mocker = new ModuleMocker(globalThis);
/** What a file spies on while it declares its tests, for all of them. @type {Spy[] | undefined} */
let declared;

/**
 * @typedef {object} Spy
 * @property {object} object
 * @property {PropertyKey} name
 * @property {PropertyDescriptor | undefined} before
 * @property {PropertyDescriptor | undefined} after
 */

export const jest = {
  fn: mocker.fn.bind(mocker),
  spyOn(object, name, ...rest) {
    const before = Object.getOwnPropertyDescriptor(object, name);
    const spy = mocker.spyOn(object, name, ...rest);
    declared?.push({ object, name, before, after: Object.getOwnPropertyDescriptor(object, name) });
    return spy;
  },
  restoreAllMocks: mocker.restoreAllMocks.bind(mocker),
};

/** @returns {Promise<Spy[]>} what was spied on meanwhile, which {@link spyAgain} does while the tests of the file run */
export async function spiesOf(declare) {
  const spies = (declared = []);
  try {
    await declare();
  } finally {
    declared = undefined;
    forgetFile(spies);
  }
  return spies;
}

/** @param {Spy[]} spies */
export function spyAgain(spies) {
  for (const { object, name, after } of spies) Object.defineProperty(object, name, after);
}

/** Takes back what a file, its hooks and its tests have spied on: with Jest each file has objects of its own. @param {Spy[]} spies */
export function forgetFile(spies) {
  mocker.restoreAllMocks();
  for (const { object, name, before } of spies.toReversed()) {
    if (before) Object.defineProperty(object, name, before);
    else Reflect.deleteProperty(object, name);
  }
}

/** Takes back what a test has expected of itself. */
export function forgetTest() {
  jestExpect.setState({ assertionCalls: 0, expectedAssertionsNumber: null, isExpectingAssertions: false, suppressedErrors: [] });
}

/** @returns {Error[]} what `expect.assertions()` and `expect.hasAssertions()` find at the end of a test */
export function missedAssertions() {
  const errors = jestExpect.extractExpectedAssertionsErrors().map(({ error }) => error);
  return [...errors, ...jestExpect.getState().suppressedErrors];
}
