// Suites of packages that come with their tests: which release, what it needs to run, and how many of its tests pass.

/**
 * @typedef {object} Suite
 * @property {string} name of the package
 * @property {string} version that is pinned
 * @property {readonly string[]} needs what its tests import besides what the package depends on
 * @property {readonly string[]} command that runs them, in its folder; `node_modules/.bin` is on the path
 * @property {number} passes tests that pass
 * @property {Readonly<Record<string, string>>} [env] variables that name the server, which is ADDRESS; the others have addresses in their files
 * @property {Readonly<Record<string, string>>} [overrides] of dependencies that can not be had as they are named
 */

const MOCHA = ['mocha', '--exit', '--timeout', '60000'];
const JEST = ['jest', '--runInBand', '--testTimeout=60000'];

/** @type {readonly Suite[]} */
export const suites = [
  {
    name: 'sharedb-mongo',
    version: '6.0.0',
    needs: [
      'mocha@^6.2.2',
      'chai@^4.2.0',
      'sinon@^9.2.4',
      'sinon-chai@^3.7.0',
      'async@^3.2.4',
      'sharedb-mingo-memory@^3.0.0',
      'ot-json1@^1.0.1',
      'rich-text@^4.1.0',
    ],
    command: MOCHA,
    passes: 898,
    env: { TEST_MONGO_URL: 'mongodb://ADDRESS/sharedb?replicaSet=rs0' },
  },
  {
    name: 'sails-mongo',
    version: '2.1.2',
    needs: ['mocha@3.0.2', 'waterline@^0.13.6', 'waterline-utils@^1.4.2', 'waterline-adapter-tests@1.0.1'],
    command: ['node', 'test/run-standard-tests.js'],
    passes: 150,
    env: { WATERLINE_ADAPTER_TESTS_URL: 'ADDRESS/sails' },
    // It is named by a repository.
    overrides: { 'waterline-adapter-tests': { waterline: '^0.15.2' } },
  },
  {
    name: 'mongoose-fuzzy-searching',
    version: '2.0.2',
    needs: ['jest@^26.0.1', 'mongoose@^5.10.11'],
    command: [...JEST, '--testEnvironment=node', '--testPathIgnorePatterns=/support/'],
    passes: 100,
  },
  {
    name: 'mongoose-slug-updater',
    version: '3.3.0',
    needs: ['mocha@^8.3.0', 'chai@^4.3.0', 'mongoose@^5.11.17'],
    command: MOCHA,
    passes: 46,
  },
  { name: 'mongoose-hidden', version: '1.9.1', needs: ['mocha@^6.0.0', 'should@^13.1.0', 'mongoose@^5.6.9'], command: MOCHA, passes: 43 },
  { name: 'mongoose-bcrypt', version: '1.11.0', needs: ['mocha@^10.2.0', 'should@^13.2.3'], command: MOCHA, passes: 58 },
  { name: 'recachegoose', version: '11.0.3', needs: ['mocha@^10.2.0', 'should@^13.2.1', 'mongoose@^5.13.17'], command: MOCHA, passes: 31 },
  { name: 'mongoose-patcher', version: '0.3.0', needs: ['mocha@^6.1.4', 'chai@^4.2.0'], command: MOCHA, passes: 23 },
  {
    name: 'mongoose-sequence',
    version: '6.0.1',
    needs: ['jest@^29.7.0', 'chai@^4.3.10', 'sinon@17.0.1', 'mongoose@8.0.3'],
    command: JEST,
    passes: 35,
  },
  {
    name: 'casbin-mongoose-adapter',
    version: '5.6.1',
    needs: ['mocha@^8.3.0', 'chai@^4.3.0', 'sinon@^9.0.0', 'casbin@^5.28.0'],
    command: [...MOCHA, '--recursive', 'test'],
    passes: 32,
  },
  { name: 'moleculer-db-adapter-mongo', version: '0.4.21', needs: ['jest@^27.2.5', 'moleculer@^0.14.22'], command: JEST, passes: 37 },
];
