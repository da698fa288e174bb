// Jest's set-up of each test file: a test that asserts nothing has not shown anything, and fails.
import { beforeEach, expect } from '@jest/globals';

/** The suites of the incumbent and of `adapter-tests`, which assert with `node:assert`. That ours can fail is shown by its faults. */
const BY_OTHER_MEANS = [/[\\/](?:adapter|contract)-suite\.test\.ts$/];

if (!BY_OTHER_MEANS.some((path) => path.test(expect.getState().testPath ?? ''))) {
  beforeEach(() => {
    expect.hasAssertions();
  });
}
