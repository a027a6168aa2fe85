import crypto from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'

// Preloaded into each thread of a service under test. Counts hashed bytes and explicitly freed bytes, and writes the sums to the
// folder COUNTED_BYTES when the thread ends.
export interface CountedBytes {
  readonly hashed: number
  readonly freed: number
}

let hashed = 0
let freed = 0
const buffers: Pick<ArrayBuffer, 'transfer' | 'byteLength'> = ArrayBuffer.prototype
const { transfer } = buffers
buffers.transfer = function counted(length) {
  if (length === 0) freed += this.byteLength
  return transfer.call(this, length)
}
const { hash, Hash } = crypto as unknown as {
  hash: (algorithm: string, data: string | Uint8Array, ...rest: unknown[]) => unknown
  Hash: { prototype: { update(data: string | Uint8Array, ...rest: unknown[]): unknown } }
}
const { update } = Hash.prototype
Hash.prototype.update = function counted(data, ...rest) {
  hashed += data.length
  return update.call(this, data, ...rest)
}
Object.assign(crypto, {
  hash: (algorithm: string, data: string | Uint8Array, ...rest: unknown[]) => {
    hashed += data.length
    return hash(algorithm, data, ...rest)
  },
})
syncBuiltinESMExports()
process.on('exit', () => {
  const folder = process.env['COUNTED_BYTES']
  const counted: CountedBytes = { hashed, freed }
  if (folder !== undefined) writeFileSync(join(folder, `${process.pid}-${threadId}`), JSON.stringify(counted))
})
