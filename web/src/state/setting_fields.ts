// Every setting that is offered somewhere: its label, hint, range, widget and default, the same wherever it is shown.
import type { ChoiceField, NumberField, ToggleField } from '../lib/setting'

export type Theme = 'system' | 'light' | 'dark'
export type TooltipSort = 'nearest' | 'nearest-y' | 'descending' | 'ascending' | 'name'
export type PaletteName = 'kymograph' | 'distinct' | 'okabe-ito' | 'tensorboard'

const theme: ChoiceField<Theme> = {
  label: 'Theme',
  widget: 'segmented',
  default: 'system',
  options: [
    ['system', 'System'],
    ['light', 'Light'],
    ['dark', 'Dark'],
  ],
}

const palette: ChoiceField<PaletteName> = {
  label: 'Palette',
  hint: 'Kymograph and Okabe–Ito are colour-blind safe.',
  widget: 'select',
  default: 'kymograph',
  options: [
    ['kymograph', 'Kymograph'],
    ['distinct', 'Distinct'],
    ['okabe-ito', 'Okabe–Ito'],
    ['tensorboard', 'TensorBoard'],
  ],
}

const colouredRuns: NumberField = {
  label: 'Coloured runs',
  hint: 'Other runs are grey.',
  widget: 'number',
  default: 12,
  min: 0,
  max: 64,
  step: 1,
}

const cardColumns: ChoiceField<number> = {
  label: 'Card columns',
  widget: 'segmented',
  default: 0,
  options: [
    [0, 'Fit'],
    [1, '1'],
    [2, '2'],
    [3, '3'],
    [4, '4'],
  ],
}

const cardHeight: NumberField = {
  label: 'Chart height',
  widget: 'slider',
  default: 180,
  min: 100,
  max: 480,
  step: 20,
  unit: 'px',
}

const groupPage: NumberField = {
  label: 'Cards per group',
  hint: '“Show more” reveals the rest.',
  widget: 'number',
  default: 60,
  min: 6,
  max: 1000,
  step: 1,
}

const hideEmptyCards: ToggleField = {
  label: 'Hide empty cards',
  hint: 'Cards without data in the shown runs.',
  widget: 'toggle',
  default: true,
}

const showBest: ToggleField = { label: 'Mark best point', widget: 'toggle', default: true }

const showRaw: ToggleField = {
  label: 'Show raw line',
  hint: 'Faintly, behind the smoothed line.',
  widget: 'toggle',
  default: true,
}

const showEnvelope: ToggleField = {
  label: 'Show min–max envelope',
  hint: 'Where several points share a pixel column.',
  widget: 'toggle',
  default: true,
}

const partition: ToggleField = {
  label: 'Break where x decreases',
  hint: 'Starts a new line segment there.',
  widget: 'toggle',
  default: false,
}

const tooltipSort: ChoiceField<TooltipSort> = {
  label: 'Tooltip order',
  widget: 'select',
  default: 'nearest',
  options: [
    ['nearest', 'Nearest'],
    ['nearest-y', 'Nearest y'],
    ['descending', 'Highest first'],
    ['ascending', 'Lowest first'],
    ['name', 'Name'],
  ],
}

const tooltipRows: NumberField = { label: 'Tooltip rows', widget: 'number', default: 10, min: 1, max: 100, step: 1 }

const stepSelection: ToggleField = { label: 'Click to select step', widget: 'toggle', default: true }

const valuesEverywhere: ToggleField = {
  label: 'Values in all cards',
  hint: 'Lists the values at the selected step under every card.',
  widget: 'toggle',
  default: false,
}

export const FIELDS = {
  theme,
  palette,
  colouredRuns,
  cardColumns,
  cardHeight,
  groupPage,
  hideEmptyCards,
  showBest,
  showRaw,
  showEnvelope,
  partition,
  tooltipSort,
  tooltipRows,
  stepSelection,
  valuesEverywhere,
} as const

export type FieldName = keyof typeof FIELDS
