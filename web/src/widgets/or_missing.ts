// What is shown when a part that is loaded later fails to load.
import Missing from './Missing.svelte'

type Load<Part> = () => Promise<Part>

/** The same loaders; each gives a sentence with a way out where it would fail. */
export function orMissing<Parts extends Readonly<Record<string, Load<{ default: unknown }>>>>(parts: Parts): Parts {
  const safe = Object.entries(parts).map(([name, load]) => [name, () => load().catch(() => ({ default: Missing }))])
  return Object.fromEntries(safe) as Parts
}
