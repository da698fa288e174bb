/**
 * What was measured more than once: the median, and the interval that holds the true median in 95 of 100 such measurements. It is taken
 * from the order of the values alone (the ranks that a fair coin gives), so that it needs no assumption about how noise is distributed.
 *
 * @param values one for each round, at least {@link LEAST_ROUNDS}
 */
export function interval(values) {
  if (values.length < LEAST_ROUNDS) throw new Error(`an interval needs ${LEAST_ROUNDS} rounds, not ${values.length}`);
  const sorted = [...values].sort((a, b) => a - b);
  const outside = ranksOutside(sorted.length);
  return { value: median(values), low: sorted[outside], high: sorted[sorted.length - 1 - outside] };
}

/** With fewer, even the lowest and the highest hold the median less often than 95 times in 100. */
export const LEAST_ROUNDS = 6;

/**
 * The ratio of two things that were measured in the same rounds, pair by pair: what disturbs a round disturbs both.
 *
 * @see interval
 */
export function pairs(ours, theirs) {
  if (ours.length !== theirs.length) throw new Error(`${ours.length} rounds beside ${theirs.length}`);
  return interval(ours.map((own, round) => own / theirs[round]));
}

/** The same things in another order, each order as likely as any other. */
export function shuffled(list) {
  const copy = [...list];
  for (let index = copy.length - 1; index > 0; index--) {
    const other = Math.floor(Math.random() * (index + 1));
    [copy[index], copy[other]] = [copy[other], copy[index]];
  }
  return copy;
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** How many of the lowest (and of the highest) values can be left out, so that at most 2.5 of 100 intervals miss on either side. */
function ranksOutside(count) {
  let chance = 0.5 ** count;
  let sum = chance;
  let ranks = 0;
  for (; sum <= 0.025; ranks++) {
    chance *= (count - ranks) / (ranks + 1);
    sum += chance;
  }
  return ranks - 1;
}
