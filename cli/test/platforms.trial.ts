// Only in test:all: on demand, with `KITSEAL_ALL_PLATFORMS`
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { buildForPlatforms } from '../build-standalone.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const skip =
  process.env['KITSEAL_ALL_PLATFORMS'] === '1'
    ? false
    : 'downloads 140 MB and takes minutes: set KITSEAL_ALL_PLATFORMS=1'

const kindOf = (program: Buffer): string =>
  program.toString('latin1', 0, 4) === '\x7fELF'
    ? `ELF, machine ${program.readUInt16LE(18)}`
    : `${program.toString('latin1', 0, 2)}, machine ${program.readUInt16LE(program.readUInt32LE(0x3c) + 4)}`

test(
  'each platform gets its executable, and the one for this machine verifies the sample kit',
  { skip },
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'kitseal-platforms-'))
    try {
      const built = buildForPlatforms(join(folder, 'built'), join(root, '.cache/node'))
      const programs = Object.fromEntries(built.map((file) => [basename(file), readFileSync(file)]))
      assert.deepEqual(
        Object.fromEntries(Object.entries(programs).map(([name, program]) => [name, kindOf(program)])),
        {
          'kitseal-linux-x64': 'ELF, machine 62',
          'kitseal-linux-arm64': 'ELF, machine 183',
          'kitseal-win-x64.exe': 'MZ, machine 34404',
        },
      )
      for (const [name, program] of Object.entries(programs)) {
        assert.ok(
          program.includes('NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:1'),
          `${name} runs the script`,
        )
        assert.ok(program.includes('KITSEAL_FEDERATION_ID'), `${name} contains the script`)
      }

      const own = built.find((file) => file.endsWith(`-${process.platform}-${process.arch}`))
      assert.ok(own !== undefined)
      const sample = join(root, 'spec/sample')
      const args = ['verify', join(sample, 'kit.zip'), '--jwks', join(sample, 'jwks.json')]
      const shown = execFileSync(own, args, { cwd: folder, env: { HOME: folder }, encoding: 'utf8' })
      assert.match(shown, /^PASS {2}Verified$/m)
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
)
