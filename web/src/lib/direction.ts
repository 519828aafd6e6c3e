// Whether less or more of a metric is better, as far as its name says.

export type Direction = 'lower' | 'higher'

const LOWER = new Set(
  'loss losses ece err error errors mse mae rmse mape msle perplexity ppl fid kid nll bpc bpd bpb wer cer ter kl divergence regret cost penalty eer lpips latency nme ade fde misses violations nan nans'.split(
    ' ',
  ),
)
const HIGHER = new Set(
  'acc accuracy precision recall f1 f2 fbeta auc auroc auprc roc map mar ap iou miou dice jaccard psnr ssim bleu rouge meteor chrf cider spice reward rewards return returns r2 score scores success hits top1 top5 mcc kappa correlation pearson spearman throughput samples_per_second tokens_per_second fps ndcg mrr elbo likelihood wins winrate agreement exact_match em'.split(
    ' ',
  ),
)

/** By the last word of the name that says something: `val/acc_loss` is a loss. Null when none does. */
export function direction(tag: string): Direction | null {
  for (const part of tag.split('/').reverse()) {
    // `exact_match`, `valLoss`, `loss.total`, `f1@10`
    const words = part
      .replace(/([a-z\d])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .split(/[^a-z\d]+/)
    for (const word of [part.toLowerCase(), ...words.reverse()]) {
      if (LOWER.has(word)) return 'lower'
      if (HIGHER.has(word)) return 'higher'
    }
  }
  return null
}
