// Where the files of a run lie.
import type { Root } from '../api/types'

/** Null when no directory is known. Runs of several directories begin with the directory's name. */
export function pathOf(run: string, roots: readonly Root[]): string | null {
  const named = roots.find(({ name }) => name !== null && (run === name || run.startsWith(`${name}/`)))
  const root = named ?? roots[0]
  if (root === undefined) return null
  const rest = run.slice(named?.name ? named.name.length + 1 : 0)
  const folder = root.path.replace(/\/$/, '')
  return rest === '' || rest === '.' ? folder : `${folder}/${rest}`
}
