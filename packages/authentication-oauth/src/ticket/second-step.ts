/** A login that has to go on with a second step before there is a token (security S26). */
export class SecondStepNeeded extends Error {
  override readonly name = 'SecondStepNeeded';
  readonly strategy: string;
  readonly step: Readonly<Record<string, unknown>>;

  constructor(strategy: string, step: Readonly<Record<string, unknown>>) {
    super('The login needs a second step');
    this.strategy = strategy;
    this.step = step;
  }
}
