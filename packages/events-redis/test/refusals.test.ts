import { expect, it } from '@jest/globals';
import { isRefusal } from '../src/redis-client.ts';

it.each([
  ['WRONGPASS invalid username-password pair or user is disabled.', true],
  ["NOPERM this user has no permissions to run the 'xadd' command", true],
  ['NOAUTH Authentication required.', true],
  ['WRONGTYPE Operation against a key holding the wrong kind of value', true],
  ["ERR unknown command 'XADD'", true],
  ['LOADING Redis is loading the dataset in memory', false],
  ["READONLY You can't write against a read only replica.", false],
  ["MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.", false],
  ['CLUSTERDOWN The cluster is down', false],
  ['TRYAGAIN Multiple keys request during rehashing of slot', false],
  ['NOREPLICAS Not enough good replicas to write.', false],
  ['MISCONF Redis is configured to save RDB snapshots, but it is currently unable to persist to disk.', false],
  ["OOM command not allowed when used memory > 'maxmemory'.", false],
  ['BUSY Redis is busy running a script.', false],
  ['connect ECONNREFUSED 127.0.0.1:6379', false],
  ['Socket closed unexpectedly', false],
])('Redis may answer %j: it will not do it is %j', (message, refused) => {
  expect(isRefusal(new Error(message))).toBe(refused);
});

it('what is no error of Redis is no refusal', () => {
  for (const other of [undefined, null, { code: 'ECONNREFUSED' }, 'text']) expect(isRefusal(other)).toBe(false);
});
