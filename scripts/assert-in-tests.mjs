// Jest's set-up of each test file: a test that asserts nothing has not shown anything, and fails.
import { beforeEach, expect } from '@jest/globals';

/** Suites of others, which assert with `node:assert`. */
const BY_OTHER_MEANS = [/[\\/]adapter-suite\.test\.ts$/];

if (!BY_OTHER_MEANS.some((path) => path.test(expect.getState().testPath ?? ''))) {
  beforeEach(() => {
    expect.hasAssertions();
  });
}
