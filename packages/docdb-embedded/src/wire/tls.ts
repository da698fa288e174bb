import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { createServer, type Server } from 'node:tls';

/** Certificates, by the files that hold them as PEM. */
export interface TlsOptions {
  /** Certificate of the server, and those that it was signed with. */
  readonly certFile: string;
  /** Its private key. */
  readonly keyFile: string;
  /** Certificates that those of clients have to be signed with; without it clients need none. */
  readonly caFile?: string | undefined;
}

/** Milliseconds that a client has to say who it is. */
const HANDSHAKE_LIMIT = 10_000;

/**
 * What makes encrypted connections of plain ones.
 *
 * @throws Error for files that can not be read, or are no certificate and its key
 */
export function tlsServer({ certFile, keyFile, caFile }: TlsOptions, accept: (socket: Socket) => void): Server {
  const ca = caFile === undefined ? {} : { ca: authorities(caFile), requestCert: true, rejectUnauthorized: true };
  const files = { cert: read(certFile, 'certFile'), key: read(keyFile, 'keyFile'), ...ca };
  try {
    const server = createServer({ ...files, minVersion: 'TLSv1.2', handshakeTimeout: HANDSHAKE_LIMIT }, accept);
    server.on('tlsClientError', (_, socket) => socket.destroy());
    return server;
  } catch (error) {
    throw new Error(`The certificate and its key can not be used: ${reasonOf(error)}`, { cause: error });
  }
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** @throws Error for a file without certificates: no client could come in, and none would be told why */
function authorities(file: string): Buffer {
  const bytes = read(file, 'caFile');
  const certificates = bytes.toString().match(CERTIFICATE) ?? [];
  try {
    for (const certificate of certificates) new X509Certificate(certificate);
  } catch (error) {
    throw new Error(`The file of tls.caFile has a certificate that can not be used: ${reasonOf(error)}`, { cause: error });
  }
  if (certificates.length === 0)
    throw new Error('The file of tls.caFile has no certificate (PEM): name one with those that clients are signed with');
  return bytes;
}

function read(file: string, option: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new Error(`The file of tls.${option} can not be read: ${reasonOf(error)}`, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
