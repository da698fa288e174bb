import { property } from '../values.ts';
/** Option `revocation`: in the memory of each process, in the service that stores sessions, or in another service. */
export type RevocationOption = 'memory' | 'store' | { readonly service: string };

/** Where revoked tokens are kept; `service` is the path of the service, `undefined` for memory. */
export interface RevocationSettings {
  readonly service: string | undefined;
}

/**
 * Reads the option `revocation`.
 *
 * @param option the option
 * @param sessions path of the service that stores sessions, which `store` means
 * @throws Error for a value that can not be meant
 */
export function revocationSettings(option: unknown, sessions = 'sessions'): RevocationSettings {
  if (option === undefined || option === 'memory') return { service: undefined };
  if (option === 'store') return { service: sessions };
  const service = property(option, 'service');
  if (typeof service === 'string' && service !== '') return { service };
  throw new Error("'authentication.revocation' must be 'memory', 'store' or { service }, the path of a service that stores sessions");
}
