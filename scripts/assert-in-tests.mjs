// Jest's set-up of each test file: a test that asserts nothing has not shown anything, and fails.
import { beforeEach, expect } from '@jest/globals';

beforeEach(() => {
  expect.hasAssertions();
});
