import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import description from '../../package.json' with { type: 'json' }
import { buildRelease } from '../../scripts/release.ts'

const skip =
  process.env['KITSEAL_ALL_PLATFORMS'] === '1'
    ? false
    : 'downloads 140 MB and takes minutes: set KITSEAL_ALL_PLATFORMS=1'

/** The machine that an ELF file is for. */
const MACHINES = { 'linux-x64': 62, 'linux-arm64': 183 }

const nodeIn = (archive: Buffer, place: string): Buffer =>
  execFileSync('tar', ['-xzOf', '-', `${place}/bin/node`], { input: archive, maxBuffer: 2 ** 30 })

test(
  'each platform gets its executable, and the package has Node.js for both kinds of Linux',
  { skip },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kitseal-platforms-'))
    try {
      await buildRelease(folder, true)
      const archiveIn = (name: string): Buffer => {
        const file = readFileSync(join(folder, name))
        return name.endsWith('.tgz') ? file : file.subarray(file.indexOf(Buffer.from([0x1f, 0x8b])))
      }
      for (const [platform, machine] of Object.entries(MACHINES)) {
        for (const [name, prefix] of [
          [`kitseal-${platform}`, '.'],
          [`kitseal-${description.version}.tgz`, 'package'],
        ] as const)
          assert.equal(
            nodeIn(archiveIn(name), `${prefix}/node_modules/node-${platform}`).readUInt16LE(18),
            machine,
            name,
          )
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
)
