import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'
const postject = fileURLToPath(new URL('../node_modules/postject/dist/cli.js', import.meta.url))

/** Turns a script into a blob for Node.js of the same version as `node`, on any platform, and returns its path. */
export function makeBlob(script: string, node: string, folder: string): string {
  const blob = join(folder, 'kitseal.blob')
  const config = join(folder, 'config.json')
  // Neither a snapshot nor a code cache, which fit one platform only.
  writeFileSync(
    config,
    JSON.stringify({ main: basename(script), output: blob, disableExperimentalSEAWarning: true }),
  )
  // The path is written into the blob. A relative one makes the build reproducible.
  execFileSync(node, ['--experimental-sea-config', config], { cwd: dirname(script), stdio: 'ignore' })
  return blob
}

/** Copies the Node.js binary and puts the blob into the copy. */
export function makeExecutable(blob: string, node: string, executable: string): void {
  writeFileSync(executable, withoutSignature(readFileSync(node)))
  chmodSync(executable, 0o755)
  // Its warnings about compiler notes are harmless.
  execFileSync(process.execPath, [postject, executable, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', FUSE], {
    stdio: 'ignore',
  })
}

/** A Windows program without its Authenticode signature, which is wrong after a change. Other files stay as they are. */
export function withoutSignature(program: Buffer): Buffer {
  if (program.toString('latin1', 0, 2) !== 'MZ') return program
  // PE header, then 24 bytes of signature and COFF header, 112 of the 64-bit optional header, and 4 directories of 8 bytes.
  const directory = program.readUInt32LE(0x3c) + 24 + 112 + 4 * 8
  const start = program.readUInt32LE(directory)
  const size = program.readUInt32LE(directory + 4)
  if (size === 0) return program
  if (start + size !== program.length) throw new Error('the signature is not at the end of the program')
  const unsigned = Buffer.from(program.subarray(0, start))
  unsigned.writeBigUInt64LE(0n, directory)
  return unsigned
}
