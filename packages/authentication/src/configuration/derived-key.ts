import { createHash, hkdfSync, KeyObject, randomBytes } from 'node:crypto';
import type { AuthenticationConfiguration } from './configuration-types.ts';
import { derivedFrom } from './derived-from.ts';

/** What a derived key is for; keys of different purposes have nothing in common, and those about accounts none for other entities. */
export type KeyPurpose = 'refresh' | 'device' | 'account' | 'oauth-flow';

/**
 * A key of 256 bits that every process with the same secret knows, and nobody else.
 *
 * @param configuration configuration with the signing secret
 * @param purpose what the key is for
 */
export function derivedKey(configuration: AuthenticationConfiguration, purpose: KeyPurpose): Buffer {
  return derivedFrom(configuration, PURPOSES[purpose]);
}

const PURPOSES: Readonly<Record<KeyPurpose, (configuration: AuthenticationConfiguration) => Buffer>> = {
  refresh: (configuration) => derive(configuration, 'refresh'),
  device: (configuration) => derive(configuration, ofEntities('device', configuration)),
  account: (configuration) => derive(configuration, ofEntities('account', configuration)),
  'oauth-flow': (configuration) => derive(configuration, 'oauth-flow'),
};

/** An id names an account among those of one service: user 1 is not administrator 1. */
function ofEntities(purpose: KeyPurpose, { service }: AuthenticationConfiguration): string {
  return service === undefined ? purpose : `${purpose}/${service}`;
}

function derive(configuration: AuthenticationConfiguration, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', derivedFrom(configuration, keyMaterial), '', `framework/${purpose}`, 32));
}

/** Without a secret, before the configuration was checked, the key lasts as long as the configuration does. */
function keyMaterial({ secret }: AuthenticationConfiguration): Buffer {
  if (typeof secret === 'string' && secret !== '') return Buffer.from(secret);
  if (secret instanceof Uint8Array) return Buffer.from(secret);
  if (secret instanceof KeyObject) return materialOf(secret);
  return typeof secret === 'object' && secret !== null ? createHash('sha256').update(JSON.stringify(secret)).digest() : randomBytes(32);
}

function materialOf(key: KeyObject): Buffer {
  if (key.type === 'secret') return key.export();
  return key.type === 'private' ? key.export({ type: 'pkcs8', format: 'der' }) : randomBytes(32);
}
