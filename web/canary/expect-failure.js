// Fails unless svelte-check finds exactly the errors planted beside this file (it has been seen to pass vacuously).
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const web = fileURLToPath(new URL('..', import.meta.url))
const checker = fileURLToPath(new URL('../node_modules/svelte-check/bin/svelte-check', import.meta.url))
const args = ['--workspace', 'canary', '--tsconfig', './tsconfig.json', '--output', 'machine']
const { status, stdout, stderr } = spawnSync(process.execPath, [checker, ...args], { cwd: web, encoding: 'utf8' })

const errors = stdout.split('\n').filter((line) => / ERROR "/.test(line))
const planted = [
  /"Planted\.svelte" 3:\d+ .*not assignable to type 'number'/,
  /"Planted\.svelte" 7:\d+ .*'nmae' does not exist/,
]
const found = planted.every((error) => errors.some((line) => error.test(line)))
if (status === 0 || !found || errors.length !== planted.length) {
  console.error(
    'svelte-check did not report exactly the planted type errors, so its verdict is worth nothing:\n' + stdout + stderr,
  )
  process.exit(1)
}
