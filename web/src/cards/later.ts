// Dialogs of cards: loaded when they are opened, or by the page when it is idle.
import { orMissing } from '../widgets/or_missing'

export const later = orMissing({
  notes: () => import('./NotesDialog.svelte'),
})
