// What showing and storing a setting needs: label, hint, range and widget, declared once.

export type SettingOption = string | number

interface Described {
  readonly label: string
  /** What the label does not say. */
  readonly hint?: string
}

export interface ToggleField extends Described {
  readonly widget: 'toggle'
  readonly default: boolean
}

export interface NumberField extends Described {
  /** A field to type in, or a slider. */
  readonly widget: 'number' | 'slider'
  readonly default: number
  readonly min: number
  readonly max: number
  readonly step: number
  readonly unit?: string
}

export interface ChoiceField<Option extends SettingOption = SettingOption> extends Described {
  /** Few options side by side, or a list that opens. */
  readonly widget: 'segmented' | 'select'
  readonly default: Option
  readonly options: readonly (readonly [Option, string])[]
}

export type SettingField = ToggleField | NumberField | ChoiceField

/** The value as the declaration allows it: numbers are rounded and moved into the range, anything else is the default. */
export function allowed(field: SettingField, value: unknown): boolean | SettingOption {
  if (field.widget === 'toggle') return typeof value === 'boolean' ? value : field.default
  if ('options' in field) return field.options.find(([option]) => option === value)?.[0] ?? field.default
  if (typeof value !== 'number' || !Number.isFinite(value)) return field.default
  return Math.min(field.max, Math.max(field.min, Math.round(value)))
}
