import { expect, it } from '@jest/globals';
import { isRefusal, isUntrusted } from '../src/redis-client.ts';

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
  ['ERR max number of clients reached', false],
  ['ERR max number of clients + cluster connections reached', false],
  ['connect ECONNREFUSED 127.0.0.1:6379', false],
  ['Socket closed unexpectedly', false],
])('Redis may answer %j: it will not do it is %j', (message, refused) => {
  expect(isRefusal(new Error(message))).toBe(refused);
});

it('what is no error of Redis is no refusal', () => {
  for (const other of [undefined, null, { code: 'ECONNREFUSED' }, 'text']) expect(isRefusal(other)).toBe(false);
});

it.each([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'CERT_HAS_EXPIRED',
  'CRL_HAS_EXPIRED',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'HOSTNAME_MISMATCH',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
  'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
  'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE',
  'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
  'ERR_SSL_WRONG_VERSION_NUMBER',
])('a connection that ends with %s is not trusted', (code) => {
  expect(isUntrusted(Object.assign(new Error('no'), { code }))).toBe(true);
});

it('a connection that was cut is not one that is not trusted', () => {
  const codes = [
    'ECONNRESET',
    'ENOTFOUND',
    'ERR_TLS_HANDSHAKE_TIMEOUT',
    'ERR_SSL_UNEXPECTED_EOF_WHILE_READING',
    'ERR_SOCKET_CLOSED',
    1,
    undefined,
  ];
  for (const code of codes) expect(isUntrusted({ code })).toBe(false);
  for (const other of [undefined, null, 'CERT_HAS_EXPIRED']) expect(isUntrusted(other)).toBe(false);
});
