import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
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
  const ca = caFile === undefined ? {} : { ca: readCertificates(caFile, 'caFile').bytes, requestCert: true, rejectUnauthorized: true };
  const { bytes: cert, first } = readCertificates(certFile, 'certFile');
  const key = readKey(keyFile, first);
  try {
    const server = createServer({ cert, key, ...ca, minVersion: 'TLSv1.2', handshakeTimeout: HANDSHAKE_LIMIT }, accept);
    server.on('tlsClientError', (_, socket) => socket.destroy());
    return server;
  } catch (error) {
    throw new Error(`The certificate and its key can not be used: ${reasonOf(error)}`, { cause: error });
  }
}

const CERTIFICATE = /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[^-]+-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g;
/** What each file has to have. */
const CONTENTS = {
  certFile: 'name one with that of the server, and those that it was signed with',
  caFile: 'name one with those that clients are signed with',
};

/** @throws Error for a file without certificates: no client could come in, and none would be told why */
function readCertificates(file: string, option: keyof typeof CONTENTS): { readonly bytes: Buffer; readonly first: X509Certificate } {
  const bytes = read(file, option);
  const texts = bytes.toString().match(CERTIFICATE) ?? [];
  try {
    const [first] = texts.map((text) => new X509Certificate(text));
    if (first) return { bytes, first };
  } catch (error) {
    throw new Error(`The file of tls.${option} has a certificate that can not be used: ${reasonOf(error)}`, { cause: error });
  }
  throw new Error(`The file of tls.${option} has no certificate (PEM): ${CONTENTS[option]}`);
}

/** @throws Error for a file without a key that can be read, and for the key of another certificate */
function readKey(file: string, certificate: X509Certificate): Buffer {
  const bytes = read(file, 'keyFile');
  if (certificate.checkPrivateKey(keyOf(bytes))) return bytes;
  throw new Error(
    'The key of tls.keyFile is not that of the first certificate in the file of tls.certFile: name the two that belong together',
  );
}

/** How a key begins that a passphrase is needed for, in either of its forms. */
const LOCKED = /-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m;

function keyOf(bytes: Buffer): KeyObject {
  try {
    return createPrivateKey(bytes);
  } catch (error) {
    const why = LOCKED.test(bytes.toString())
      ? 'has a passphrase: write one without by `openssl pkey -in key.pem -out plain.pem`, and name that'
      : `can not be used, it has to be a private key (PEM): ${reasonOf(error)}`;
    throw new Error(`The key of tls.keyFile ${why}`, { cause: error });
  }
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
