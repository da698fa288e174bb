/** Operators that take a value away, with everything in it. */
export const REMOVING_OPERATORS: ReadonlySet<string> = new Set(['$unset', '$rename']);

/** Operators that can put another value in the place of one, whatever is in it. */
export const REPLACING_OPERATORS: ReadonlySet<string> = new Set(['$set', '$min', '$max', '$currentDate']);

/** Operators, and the modifier of `$push`, whose outcome tells something of the value that is there. */
export const READING_OPERATORS: ReadonlySet<string> = new Set(['$pull', '$pullAll', '$rename', '$min', '$max', '$addToSet', '$sort']);
