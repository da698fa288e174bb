import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { BasicConstraintsExtension, SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509';

/** PEM texts of a certificate and of its key. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
  readonly name: string;
  readonly keys: webcrypto.CryptoKeyPair;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY = 86_400_000;

/** A certificate for 127.0.0.1 which `authority` has signed, or which is its own authority. */
export async function makeCertificate(commonName: string, authority?: Certificate): Promise<Certificate> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const name = `CN=${commonName}`;
  const certificate = await X509CertificateGenerator.create(
    {
      subject: name,
      issuer: authority?.name ?? name,
      notBefore: new Date(Date.now() - DAY),
      notAfter: new Date(Date.now() + DAY),
      publicKey: keys.publicKey,
      signingKey: (authority?.keys ?? keys).privateKey,
      signingAlgorithm: ALGORITHM,
      extensions: [
        new BasicConstraintsExtension(authority === undefined, undefined, true),
        new SubjectAlternativeNameExtension([{ type: 'ip', value: '127.0.0.1' }]),
      ],
    },
    webcrypto,
  );
  const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  return { cert: certificate.toString('pem'), key: `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----\n`, name, keys };
}
