/** What a method may be called with, in four ways at most, of which TypeScript itself tells the one that is declared last. Where that takes all, it is that alone. */
export type ArgumentsOf<F> = F extends {
  (...args: infer A1): unknown;
  (...args: infer A2): unknown;
  (...args: infer A3): unknown;
  (...args: infer Last): unknown;
}
  ? Last | Exclude<A1 | A2 | A3, Last>
  : never;

/** What a method may give, in whichever way it is called. */
export type ResultOf<F> = F extends {
  (...args: never[]): infer R1;
  (...args: never[]): infer R2;
  (...args: never[]): infer R3;
  (...args: never[]): infer R4;
}
  ? R1 | R2 | R3 | R4
  : never;
