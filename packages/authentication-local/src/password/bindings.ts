import { findInstalled } from '@framework/errors';

/** Full paths of what computes hashes; threads load them by these. */
export interface Bindings {
  readonly argon2: string;
  readonly bcrypt: string;
}

let known: Bindings | undefined;

/**
 * Finds what computes hashes. It holds machine code, which no bundler takes in.
 *
 * @throws Error with what to do for a bundle, beside which it was not installed
 */
export function findBindings(): Bindings {
  const find = (name: string): string => findInstalled(name, import.meta.url, '@framework/authentication-local');
  return (known ??= { argon2: find('@node-rs/argon2'), bcrypt: find('@node-rs/bcrypt') });
}
