import crypto from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'

// Loaded before a service under test, in each of its threads: counts the bytes that are hashed, and writes the sum to
// the folder that HASHED_BYTES names when the thread ends.
let bytes = 0
const { hash, Hash } = crypto as unknown as {
  hash: (algorithm: string, data: string | Uint8Array, ...rest: unknown[]) => unknown
  Hash: { prototype: { update(data: string | Uint8Array, ...rest: unknown[]): unknown } }
}
const { update } = Hash.prototype
Hash.prototype.update = function counted(data, ...rest) {
  bytes += data.length
  return update.call(this, data, ...rest)
}
Object.assign(crypto, {
  hash: (algorithm: string, data: string | Uint8Array, ...rest: unknown[]) => {
    bytes += data.length
    return hash(algorithm, data, ...rest)
  },
})
syncBuiltinESMExports()
process.on('exit', () => {
  const folder = process.env['HASHED_BYTES']
  if (folder !== undefined) writeFileSync(join(folder, `${process.pid}-${threadId}`), String(bytes))
})
