/** What is needed of a client: one that `createClient` of `redis` makes has it. */
export interface RedisClient {
  /** Whether it was told to connect. */
  readonly isOpen: boolean;
  connect(): Promise<unknown>;
  /** Ends at once, without waiting for answers. */
  destroy(): void;
  /** @returns another one with the same settings, not connected */
  duplicate(): RedisClient;
  /** Sends a command as it is. */
  sendCommand(command: string[]): Promise<unknown>;
  on(event: 'error', listener: (error: unknown) => void): unknown;
}

const METHODS = ['connect', 'destroy', 'duplicate', 'sendCommand', 'on'] as const;
/** What `sendCommand` takes: the command, and options. Those of several servers want to know first which of them it is for. */
const MOST_PARAMETERS = 2;

/** @throws TypeError for what is no client, and for one of a cluster, of sentinels or of a pool */
export function checkClient(client: Partial<RedisClient> | null | undefined): void {
  const isClient = METHODS.every((name) => typeof client?.[name] === 'function');
  if (isClient && Number(client?.sendCommand?.length) <= MOST_PARAMETERS) return;
  throw new TypeError(
    'redisEventLog() needs a client of one server, as createClient() of redis makes it: none of a cluster, of sentinels or of a pool, and no address',
  );
}

/** Answers that pass: while it loads, another server takes over, too few follow, or memory and disk are full. */
const PASSING: ReadonlySet<string> = new Set([
  'LOADING',
  'BUSY',
  'TRYAGAIN',
  'READONLY',
  'MASTERDOWN',
  'CLUSTERDOWN',
  'NOREPLICAS',
  'MISCONF',
  'OOM',
]);

/** One that passes too, and has no kind of its own. */
const CROWDED = /^ERR max number of clients\b/;

/** @returns whether Redis has answered that it does not do what it was asked, and not only that it can not yet */
export function isRefusal(error: unknown): boolean {
  const message = messageOf(error);
  const [, kind] = /^([A-Z]{2,}) /.exec(message) ?? [];
  return kind !== undefined && !PASSING.has(kind) && !CROWDED.test(message);
}

/** Codes of Node.js for certificates that are not right, and of what TLS says where the two do not agree; those of connections that were cut are none of them. */
const UNTRUSTED =
  /(?:^|_)(?:CERT|CERTIFICATE|CRL|CA|ISSUER)(?:_|$)|^UNABLE_TO_VERIFY_|^HOSTNAME_MISMATCH$|^INVALID_PURPOSE$|^ERR_SSL_.*(?:HANDSHAKE_FAILURE|PROTOCOL_VERSION|WRONG_VERSION_NUMBER)$/;

/** @returns whether a connection was given up because one side does not trust the other, or speaks no TLS: no time mends that */
export function isUntrusted(error: unknown): boolean {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' && UNTRUSTED.test(code);
}

/** @returns whether a server has answered that it follows another one, which a connection of before does not lead to */
export function isOfFollower(error: unknown): boolean {
  return /^(READONLY|MASTERDOWN) /.test(messageOf(error));
}

/** @returns what an error says; nothing for `undefined` */
export function messageOf(error: unknown): string {
  const { message, code } = (error ?? {}) as { readonly message?: unknown; readonly code?: unknown };
  // Where a name has several addresses the error of all of them has no message.
  return String(message || (code ?? ''));
}

/** A place in a stream. */
export type StreamId = readonly [milliseconds: number, sequence: number];

/** One entry of a stream. */
export interface StreamEntry {
  readonly id: StreamId;
  readonly fields: Readonly<Record<string, string>>;
}

/** @throws Error for what is no id */
export function parseId(id: unknown): StreamId {
  const [, milliseconds, sequence] = /^(\d+)-(\d+)$/.exec(String(id)) ?? [];
  if (milliseconds === undefined || sequence === undefined) throw new Error(`Redis gave '${String(id)}' for the place of an event`);
  return [Number(milliseconds), Number(sequence)];
}

export function idText([milliseconds, sequence]: StreamId): string {
  return `${milliseconds}-${sequence}`;
}

/** @returns a negative number when `a` comes first, 0 when both are the same */
export function compareIds(a: StreamId, b: StreamId): number {
  return a[0] - b[0] || a[1] - b[1];
}

/** @returns the entries of an answer to XRANGE */
export function entriesOf(answer: unknown): StreamEntry[] {
  return listOf(answer).map((entry) => {
    const [id, fields] = listOf(entry);
    return { id: parseId(id), fields: recordOf(fields) };
  });
}

/** @returns the entries of an answer to XREAD of one stream, in either protocol: nothing, `[[key, entries]]` or `{ key: entries }` */
export function readEntriesOf(answer: unknown): StreamEntry[] {
  if (answer === null || answer === undefined) return [];
  if (answer instanceof Map) return entriesOf([...answer.values()][0]);
  if (!Array.isArray(answer)) return entriesOf(Object.values(answer)[0]);
  const first: unknown = answer[0];
  return entriesOf(Array.isArray(first) ? first[1] : answer[1]);
}

function recordOf(fields: unknown): Record<string, string> {
  const list = listOf(fields).map(String);
  return Object.fromEntries(list.flatMap((name, index) => (index % 2 === 0 ? [[name, list[index + 1] ?? '']] : [])));
}

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new Error('Redis gave an answer that is no list');
}
