// Statistics of measurements that were repeated in rounds.

export interface Interval {
  readonly mean: number;
  /** The bounds of the 95 % confidence interval. */
  readonly low: number;
  readonly high: number;
}

/** 97.5th percentiles of Student's t distribution for 1 to 30 degrees of freedom. */
const T = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131, 2.12, 2.11,
  2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
];

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** The smallest value that at least this share of the values, in per cent, does not exceed; NaN if there are none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  const rank = Math.ceil((sorted.length * share) / 100);
  return sorted[Math.min(Math.max(rank, 1), sorted.length) - 1] ?? Number.NaN;
}

/** The mean with Student's interval. One value alone has no finite interval. */
export function interval(values: readonly number[]): Interval {
  const centre = mean(values);
  const degrees = values.length - 1;
  if (degrees < 1) return { mean: centre, low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
  const variance = values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / degrees;
  // Beyond 30 degrees the last value is a little too wide, which errs on the safe side.
  const half = (T[Math.min(degrees, T.length) - 1] ?? Number.NaN) * Math.sqrt(variance / values.length);
  return { mean: centre, low: centre - half, high: centre + half };
}

/**
 * The quotient of two figures that were measured in the same rounds: the geometric mean of each round's
 * quotient. What slows a whole round down cancels out, and the interval is that of the logarithms.
 */
export function ratio(above: readonly number[], below: readonly number[]): Interval {
  if (above.length !== below.length) throw new Error(`${above.length} rounds over ${below.length}`);
  const logarithms = above.map((value, round) => Math.log(value / (below[round] ?? Number.NaN)));
  const { mean: centre, low, high } = interval(logarithms);
  return { mean: Math.exp(centre), low: Math.exp(low), high: Math.exp(high) };
}

/** The order of a round: in twice as many rounds as there are arms, every arm comes in every place twice. */
export function balanced<T>(arms: readonly T[], round: number): T[] {
  const shift = Math.floor(round / 2) % Math.max(arms.length, 1);
  const order = [...arms.slice(shift), ...arms.slice(0, shift)];
  return round % 2 === 0 ? order : order.reverse();
}
