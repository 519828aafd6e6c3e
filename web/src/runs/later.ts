// What the foot and the head of the rail open: loaded when it is wanted, or in a quiet moment by the page.

export const later = {
  trash: () => import('./Trash.svelte'),
  colourLegend: () => import('./ColourLegend.svelte'),
}
