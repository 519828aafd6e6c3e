// The name of a metric says which direction is better, or nothing.
import { expect, test } from 'vitest'
import { direction } from './direction'

test.each([
  ['loss', 'lower'],
  ['train/loss', 'lower'],
  ['val/acc', 'higher'],
  ['val/acc_loss', 'lower'],
  ['valLoss', 'lower'],
  ['Accuracy/top1', 'higher'],
  ['acc_top1', 'higher'],
  ['loss/total', 'lower'],
  ['epoch_loss', 'lower'],
  ['rollout/ep_rew_mean', null],
  ['eval/mean_reward', 'higher'],
  ['eval/f1@10', 'higher'],
  ['lr', null],
  ['glossary', null],
  ['loss.total', 'lower'],
])('%s: %s', (tag, expected) => {
  expect(direction(tag)).toBe(expected)
})
