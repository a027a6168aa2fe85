// Only in test:all: installs the package on every Python of the machine, for releases
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { buildPythonPackage } from '../../scripts/python-package.ts'
import { PAGES, type PythonService, runPage, runPython, startForPython } from './on-python.ts'

/** The oldest and the newest Python of the machine that the package supports, by version. */
const found = new Map<string, string>()
const places = [
  '/usr/bin/python3',
  '/usr/local/bin/python3',
  path.join(homedir(), '.pyenv/versions/3.*/bin/python3'),
]
for (const python of ['python3', ...places.flatMap((place) => globSync(place))]) {
  const script = 'import sys, venv, ensurepip; print("%d.%02d.%d" % sys.version_info[:3])'
  const version = spawnSync(python, ['-c', script], { encoding: 'utf8' }).stdout.trim()
  if (version >= '3.09') found.set(version, python)
}
const versions = [...found.keys()].toSorted()
const chosen = new Set([versions[0], versions.at(-1)].filter((version) => version !== undefined))

const folder = mkdtempSync(path.join(tmpdir(), 'kitseal-pythons-'))
const [wheel = '', sdist = ''] = buildPythonPackage(path.join(folder, 'built'))
let service: PythonService
before(async () => {
  service = await startForPython()
})
after(async () => {
  await service[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

test('there is a Python to test with', () => {
  assert.ok(chosen.size > 0, 'no Python 3.9 or later with the modules venv and ensurepip')
  console.log(`Python ${[...chosen].join(' and ')}`)
})

for (const version of chosen) {
  for (const file of [wheel, sdist])
    test(`on Python ${version}, pip installs ${path.extname(file)} without a network, and it works`, async () => {
      const place = path.join(folder, `${version}${path.extname(file)}`)
      execFileSync(found.get(version) ?? '', ['-m', 'venv', place])
      const python = path.join(place, 'bin/python')
      const install = ['-m', 'pip', 'install', '--no-index', '--disable-pip-version-check', '-q', file]
      execFileSync(python, install, { stdio: ['ignore', 'ignore', 'inherit'] })
      if (file === sdist) {
        await runPython(python, ['-c', 'import kitseal'], {}, folder)
        return
      }
      const { env } = service
      const tests = path.join(import.meta.dirname, 'test_kitseal.py')
      assert.match(await runPython(python, [tests], env, place), /^OK$/m)
      for (const page of PAGES) assert.match(await runPage(page, python, env, place), /PASS/)
    })
}
