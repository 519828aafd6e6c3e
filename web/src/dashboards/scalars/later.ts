// What a card or the toolbar opens: loaded when it is wanted, or in a quiet moment by the page.
import { orMissing } from '../../widgets/or_missing'

export const later = orMissing({
  fullView: () => import('./FullView.svelte'),
  range: () => import('./RangeDialog.svelte'),
  dataTable: () => import('./DataTable.svelte'),
  valueTable: () => import('./ValueTable.svelte'),
  newChart: () => import('./NewChart.svelte'),
  chartSettings: () => import('./ChartSettings.svelte'),
})
