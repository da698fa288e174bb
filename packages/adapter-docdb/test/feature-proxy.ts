import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { BSON, type Document } from 'mongodb';

/** What a server without a feature answers to a command, or changes of what it answers; `undefined` for what has nothing to do with it. */
export interface Missing {
  refuse?(command: Document): { readonly code: number; readonly errmsg: string } | undefined;
  /** @returns the changed answer; `undefined` for one that stays as it is */
  answer?(command: Document, answer: Document): Document | undefined;
}

const OP_MSG = 2013;
/** The first command of a connection is still of the old form, and so is its answer. */
const OP_QUERY = 2004;
const OP_REPLY = 1;
const HEADER = 16;
/** Header of an old answer: flags, cursor, start and number. */
const REPLY_HEADER = HEADER + 20;

/** Numbers stay of the kind that they are: cursors have 64 bits. */
const KEPT = { promoteLongs: false };

/** A server of the protocol that lacks something. */
export interface FeatureProxy {
  readonly uri: string;
  stop(): Promise<void>;
}

/**
 * Stands in front of a database and takes single features away, as servers that speak the same protocol lack them.
 *
 * @param target URL of the database
 */
export async function startFeatureProxy(target: string, missing: readonly Missing[]): Promise<FeatureProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const database = connect(Number(port), hostname);
    const commands = new Map<number, Document>();
    for (const [socket, other] of [[client, database] as const, [database, client] as const]) {
      sockets.add(socket);
      socket.on('close', () => other.destroy());
      socket.on('error', () => other.destroy());
    }
    client.on(
      'data',
      eachMessage((message) => {
        const command = readCommand(message);
        const refusal = command && firstOf(missing, (each) => each.refuse?.(command));
        const id = message.readInt32LE(4);
        if (refusal) client.write(writeAnswer({ ok: 0, ...refusal }, id));
        else {
          if (command) commands.set(id, command);
          database.write(message);
        }
      }),
    );
    database.on(
      'data',
      eachMessage((message) => {
        const id = message.readInt32LE(8);
        const [command, answer] = [commands.get(id), readCommand(message)];
        commands.delete(id);
        const changed = command && answer && missing.reduce((before, each) => each.answer?.(command, before) ?? before, answer);
        if (changed === undefined || changed === answer) client.write(message);
        else client.write(message.readInt32LE(12) === OP_REPLY ? writeReply(changed, message) : writeAnswer(changed, id));
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: own } = server.address() as AddressInfo;
  return { uri: `mongodb://127.0.0.1:${own}/?directConnection=true`, stop: () => stop(server, sockets) };
}

async function stop(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  for (const socket of sockets) socket.destroy();
  await closed;
}

function firstOf<T, R>(list: readonly T[], map: (each: T) => R | undefined): R | undefined {
  for (const each of list) {
    const found = map(each);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** @returns a listener that calls back with each whole message */
function eachMessage(callback: (message: Buffer) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= HEADER && rest.length >= rest.readInt32LE(0)) {
      const length = rest.readInt32LE(0);
      callback(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  };
}

/** The body of a message, with lists that came in sections of their own. */
function readCommand(message: Buffer): Document | undefined {
  const form = message.readInt32LE(12);
  if (form === OP_QUERY) return BSON.deserialize(message.subarray(message.indexOf(0, HEADER + 4) + 9), KEPT);
  if (form === OP_REPLY) return BSON.deserialize(message.subarray(REPLY_HEADER), KEPT);
  if (form !== OP_MSG) return undefined;
  const command: Document = {};
  for (let at = HEADER + 4; at < message.length;) {
    const kind = message[at++];
    const size = message.readInt32LE(at);
    if (kind === 0) Object.assign(command, BSON.deserialize(message.subarray(at, at + size), KEPT));
    else {
      const end = message.indexOf(0, at + 4);
      const documents: Document[] = [];
      for (let place = end + 1; place < at + size; place += message.readInt32LE(place)) {
        documents.push(BSON.deserialize(message.subarray(place, place + message.readInt32LE(place))));
      }
      command[message.toString('utf8', at + 4, end)] = documents;
    }
    at += size;
  }
  return command;
}

function writeAnswer(answer: Document, responseTo: number): Buffer {
  const body = BSON.serialize(answer);
  const message = Buffer.alloc(HEADER + 5 + body.length);
  message.writeInt32LE(message.length, 0);
  message.writeInt32LE(responseTo, 8);
  message.writeInt32LE(OP_MSG, 12);
  message.set(body, HEADER + 5);
  return message;
}

/** @param message the answer that it takes the place of */
function writeReply(answer: Document, message: Buffer): Buffer {
  const changed = Buffer.concat([message.subarray(0, REPLY_HEADER), BSON.serialize(answer)]);
  changed.writeInt32LE(changed.length, 0);
  return changed;
}

/** Servers without the features of the adapter, as they answer. */
export const WITHOUT = {
  changeStreams: {
    refuse: ({ pipeline }) =>
      JSON.stringify(pipeline ?? []).includes('$changeStream')
        ? { code: 40573, errmsg: 'The $changeStream stage is only supported on replica sets' }
        : undefined,
  },
  transactions: {
    refuse: ({ startTransaction, txnNumber }) =>
      startTransaction === true || txnNumber !== undefined
        ? { code: 20, errmsg: 'Transaction numbers are only allowed on a replica set member or mongos' }
        : undefined,
    answer: (command, { setName: _setName, hosts: _hosts, primary: _primary, me: _me, ...answer }) =>
      'hello' in command || 'ismaster' in command ? answer : undefined,
  },
  collation: {
    refuse: ({ collation }) => (collation === undefined ? undefined : { code: 303, errmsg: 'Feature not supported: collation' }),
  },
  updatePipelines: {
    refuse: ({ update, updates }) =>
      Array.isArray(update) || (Array.isArray(updates) && updates.some(({ u }: Document) => Array.isArray(u)))
        ? { code: 9, errmsg: 'Modifiers operate on fields but we found another type' }
        : undefined,
  },
  text: {
    refuse: ({ filter }) =>
      JSON.stringify(filter ?? {}).includes('$text') ? { code: 2, errmsg: 'unknown top level operator: $text' } : undefined,
  },
} satisfies Record<string, Missing>;
