// Whether two groups of runs differ: Welch's test of their means.

export interface Sample {
  readonly mean: number
  /** Standard deviation of the members. */
  readonly sd: number
  readonly count: number
}

/** Two-sided p; null when a group has less than two members or both do not vary. */
export function welch(one: Sample, other: Sample): number | null {
  if (one.count < 2 || other.count < 2) return null
  const first = (one.sd * one.sd) / one.count
  const second = (other.sd * other.sd) / other.count
  const sum = first + second
  if (!(sum > 0)) return null
  const t = (one.mean - other.mean) / Math.sqrt(sum)
  const freedom = (sum * sum) / ((first * first) / (one.count - 1) + (second * second) / (other.count - 1))
  return incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5)
}

// Lanczos' approximation, g = 7: 15 digits for positive arguments.
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
]

function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x)
  const base = x + 6.5
  const sum = LANCZOS.reduce((total, weight, at) => total + (at === 0 ? weight : weight / (x - 1 + at)), 0)
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(base) - base + Math.log(sum)
}

/** The regularised incomplete beta function, by Lentz' continued fraction. */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  // The fraction converges on this side only.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a)
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x)) / a
  return front * fraction(x, a, b)
}

function fraction(x: number, a: number, b: number): number {
  const tiny = 1e-300
  const held = (number: number): number => (Math.abs(number) < tiny ? tiny : number)
  let c = 1
  let d = 1 / held(1 - ((a + b) * x) / (a + 1))
  let result = d
  for (let m = 1; m < 300; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / held(1 + even * d)
    c = held(1 + even / c)
    result *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / held(1 + odd * d)
    c = held(1 + odd / c)
    const factor = d * c
    result *= factor
    if (Math.abs(factor - 1) < 1e-12) break
  }
  return result
}
