/**
 * A constructor that gives back what it gets, so that a subclass can add private fields to it: they are out of everybody's sight, no copy has them,
 * and one map of all such objects would cost more.
 */
// oxlint-disable-next-line typescript/no-extraneous-class -- what it constructs is somebody else's
export class Itself {
  constructor(self: object) {
    return self;
  }
}
