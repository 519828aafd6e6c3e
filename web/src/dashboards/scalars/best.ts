// Which value of a card is the best one, and whether low or high is good.
import type { Numbers, Range } from '../../lib/numbers'
import type { Trace } from '../../lib/traces'

export type Better = 'lower' | 'higher'

export interface Best {
  readonly key: string
  readonly x: number
  readonly value: number
}

const LOWER = new Set('loss losses error err errors mse mae rmse mape nll perplexity ppl ece fid wer cer regret cost eer divergence brier'.split(' '))
const HIGHER = new Set(
  'acc accuracy auc auroc f1 precision recall iou miou map bleu rouge reward rewards return returns score psnr ssim top1 top5 dice success winrate r2 elo mrr ndcg'.split(' '),
)

/** What the words of a tag say, the last part first; null when they say nothing. */
export function guessBetter(tag: string): Better | null {
  for (const part of tag.toLowerCase().split('/').reverse()) {
    for (const word of part.split(/[^a-z0-9]+/)) {
      if (LOWER.has(word)) return 'lower'
      if (HIGHER.has(word)) return 'higher'
    }
  }
  return null
}

/** The best raw value among the lines, in `range` if there is one; null when none is finite. */
export function bestOf(lines: readonly { readonly key: string; readonly data: Trace }[], better: Better, range: Range | null): Best | null {
  let best: Best | null = null
  for (const { key, data } of lines) {
    const values = data.kind === 'points' ? data.y : better === 'lower' ? data.raw.min : data.raw.max
    const xs = data.kind === 'points' ? data.x : data.xFirst
    const at = bestAt(xs, values, better, range)
    const value = values[at]
    if (value === undefined) continue
    if (best === null || (better === 'lower' ? value < best.value : value > best.value)) {
      best = { key, value, x: xs[at] ?? NaN }
    }
  }
  return best
}

/** Where the least or greatest finite number is; -1 if there is none. */
function bestAt(xs: Numbers, values: Numbers, better: Better, range: Range | null): number {
  const [from, to] = range ?? [-Infinity, Infinity]
  let at = -1
  let best = better === 'lower' ? Infinity : -Infinity
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? NaN
    const x = xs[index] ?? NaN
    if (x < from || x > to) continue
    if (Number.isFinite(value) && (better === 'lower' ? value < best : value > best)) {
      best = value
      at = index
    }
  }
  return at
}
