/** The ways in which a method may be called, four of them at most, of which TypeScript itself tells the one that is declared last. */
type Signatures<F> = F extends {
  (...args: infer A1): infer R1;
  (...args: infer A2): infer R2;
  (...args: infer A3): infer R3;
  (...args: infer A4): infer R4;
}
  ? { args: A1; result: R1 } | { args: A2; result: R2 } | { args: A3; result: R3 } | { args: A4; result: R4 }
  : never;

/** What a method may be called with. Where the last way takes all that the others do, it is that alone. */
export type ArgumentsOf<F> = F extends (...args: infer Last) => unknown ? Last | Exclude<Signatures<F>['args'], Last> : never;

/** What a method may give, in whichever way it is called. */
export type ResultOf<F> = Signatures<F>['result'];
