import { expect, it } from '@jest/globals';
import { nearestBeside } from '../../src/index.ts';

it.each([
  [['authentication'], 'notes', 'authentication'],
  [['admin/authentication', 'authentication'], 'notes', 'authentication'],
  [['authentication', 'admin/authentication'], 'admin/notes', 'admin/authentication'],
  [['authentication', 'admin/authentication'], 'admin/deep/notes', 'admin/authentication'],
  [['admin/authentication', 'admin/deep/authentication'], 'admin/deep/authentication', 'admin/deep/authentication'],
  [['administration/authentication', 'authentication'], 'admin/notes', 'authentication'],
  [['admin/v1/login', 'admin/login'], 'admin', 'admin/login'],
  [[], 'notes', undefined],
])('of %j the one beside %s is %s', (paths, path, found) => {
  expect(nearestBeside(paths, path)).toBe(found);
});
