export { LocalStrategy } from './local-strategy.ts';
export { passwordHash } from './password-resolver.ts';
export { hashPassword } from './hooks/hash-password.ts';
export { protect } from './hooks/protect.ts';
export { hooks } from './hooks/hooks.ts';
export type { LocalOptions, LocalStrategyConfiguration } from './local-configuration.ts';
export type { HashPasswordOptions } from './hooks/hash-password.ts';
export type { HashEvent } from './password/hash-events.ts';
export type { HashCost } from './password/password-hash.ts';
