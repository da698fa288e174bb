import type net from 'node:net';
import { toNumber } from '../bson/arithmetic.ts';
import { type Doc, isDocument, isNumber } from '../bson/values.ts';
import type { ConnectionState } from '../commands/command.ts';
import { DocDbError } from '../errors.ts';
import { BEGINNING } from './framing.ts';
import { readBeginning, readMessage, writeMessage } from './message.ts';

/** Bytes of a greeting, and of all that leads to a login. */
export const MAX_GREETING = 65_536;
const TOO_LONG = `Command requires authentication: before a login a message may have ${String(MAX_GREETING)} bytes`;

/** Answers a command; `undefined` closes the connection. */
export type CommandHandler = (connection: ConnectionState, command: Doc) => Promise<Doc | undefined>;

/** A client, and whether it waits for the answer to what is carried out for it. */
export interface Client {
  readonly socket: net.Socket;
  readonly connection: ConnectionState;
  isWaiting: boolean;
}

/**
 * Carries out a message and answers it, more than once where the client takes that.
 *
 * @param bytes a whole message, or the beginning of one that is too long
 * @throws DocDbError (17) for what is no message
 */
export async function respond(client: Client, bytes: Buffer, handle: CommandHandler): Promise<void> {
  const { socket, connection } = client;
  const isKept = bytes.length !== BEGINNING || bytes.readInt32LE(0) === BEGINNING;
  const request = isKept ? readMessage(bytes) : readBeginning(bytes, new DocDbError(13, TOO_LONG));
  // Who does not want to hear of it may say it and go.
  if (socket.destroyed && (request.answered || !socket.readableEnded)) return;
  let command: Doc | undefined = request.command;
  do {
    client.isWaiting = request.answered;
    const answer: Doc | undefined = request.refused ?? (await handle(connection, command));
    client.isWaiting = false;
    if (answer === undefined) {
      socket.destroy();
      return;
    }
    const next: Doc | undefined = request.exhaust && request.answered ? followUp(command, answer) : undefined;
    if (request.answered && !socket.destroyed) await send(socket, writeMessage(request, answer, next !== undefined));
    // A client that takes all at once would keep the others from their turn.
    if (next) await new Promise((resolve) => setImmediate(resolve));
    command = next;
  } while (command && !socket.destroyed);
  if (request.isLast === true) socket.destroySoon();
  // Nobody else knows of the cursor whose documents were on their way.
  if (command?.getMore !== undefined) await handle(connection, endOf(command));
}

/** What is answered next without being asked for, to a client that takes more than one answer. */
function followUp(command: Doc, answer: Doc): Doc | undefined {
  if (!isNumber(answer.ok) || toNumber(answer.ok) !== 1) return undefined;
  // One that waits for news of the server is told again and again.
  if (command.topologyVersion !== undefined) return { ...command, topologyVersion: answer.topologyVersion };
  const { cursor } = answer;
  if (command.getMore === undefined || !isDocument(cursor)) return undefined;
  // Where nothing is there yet the client asks again, so that nobody is sent empty batches without end.
  const hasMore = cursor.id !== 0n && Array.isArray(cursor.nextBatch) && cursor.nextBatch.length > 0;
  return hasMore ? command : undefined;
}

function endOf({ getMore, collection, lsid, $db }: Doc): Doc {
  return { killCursors: collection, cursors: [getMore], ...(lsid === undefined ? {} : { lsid }), $db };
}

async function send(socket: net.Socket, [header, body]: readonly Buffer[]): Promise<void> {
  socket.cork();
  socket.write(header as Buffer);
  const isTaken = socket.write(body as Buffer);
  socket.uncork();
  if (!isTaken) await drained(socket);
}

/** A client that reads slowly gets its next answer when it has taken this one. */
function drained(socket: net.Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      socket.off('drain', done);
      socket.off('close', done);
      resolve();
    };
    socket.once('drain', done);
    socket.once('close', done);
    if (socket.destroyed) done();
  });
}
