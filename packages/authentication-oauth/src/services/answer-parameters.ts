/** What a provider's answer may say; everything else in it is not looked at (security S30). */
export const ANSWER_NAMES = ['code', 'state', 'iss', 'error'] as const;

/** What the state of a flow looks like. */
export const STATE: RegExp = /^[\w-]{43}$/;
