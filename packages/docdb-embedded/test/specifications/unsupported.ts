/** Thrown for steps that are not needed to judge the server. */
export class Unsupported extends Error {}
