/**
 * Key of what a service itself adds to the rules of its records, a `Contribution`; it is read when the service is registered. Copies of this
 * package know each other's.
 */
export const contributedRules: unique symbol = Symbol.for('@framework/contributed-rules');
