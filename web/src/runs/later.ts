// What the foot and the head of the rail open: loaded when it is wanted, or in a quiet moment by the page.
import { orMissing } from '../widgets/or_missing'

export const later = orMissing({
  trash: () => import('./Trash.svelte'),
  colourLegend: () => import('./ColourLegend.svelte'),
})
