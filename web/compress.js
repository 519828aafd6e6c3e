// Writes a second file, compressed with Brotli, beside each text of the built page: Python has nothing to compress with it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'

const FOLDER = '../python/kymograph/server/static'

for (const name of readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })) {
  if (!/\.(js|css|html|svg)$/.test(name)) continue
  const path = join(FOLDER, name)
  writeFileSync(`${path}.br`, brotliCompressSync(readFileSync(path)))
}
