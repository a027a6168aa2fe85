import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { buildPythonPackage } from '../../scripts/packages.ts'
import { PAGES, type PythonService, runPage, runPython, startForPython } from './on-python.ts'

/** Every Python of the machine that the package supports, by version. */
const found = new Map<string, string>()
const places = [
  '/usr/bin/python3',
  '/usr/local/bin/python3',
  path.join(homedir(), '.pyenv/versions/3.*/bin/python3'),
]
for (const python of ['python3', ...places.flatMap((place) => globSync(place))]) {
  const { stdout } = spawnSync(python, ['-c', 'import sys; print("%d.%d.%d" % sys.version_info[:3])'], {
    encoding: 'utf8',
  })
  if (Number(/^3\.(\d+)/.exec(stdout ?? '')?.[1] ?? 0) >= 9) found.set(stdout.trim(), python)
}
const versions = [...found.keys()].toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
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
  assert.ok(chosen.size > 0, 'there is no Python 3.9 or later')
  console.log(`Python ${[...chosen].join(' and ')}`)
})

for (const version of chosen) {
  const system = found.get(version) ?? ''
  const hasPip = spawnSync(system, ['-c', 'import venv, ensurepip']).status === 0
  test(`the wheel works on Python ${version}, ${hasPip ? 'installed without a network' : 'without pip'}`, async () => {
    const place = path.join(folder, version)
    mkdirSync(place)
    const python = hasPip ? install(system, wheel, path.join(place, 'wheel')) : system
    const env = { ...service.env, ...(hasPip ? {} : { PYTHONPATH: wheel }) }
    const tests = path.join(import.meta.dirname, 'test_kitseal.py')
    assert.match(await runPython(python, [tests], env, place), /^OK$/m)
    for (const page of PAGES) assert.match(await runPage(page, python, env, place), /PASS/)
    if (hasPip)
      await runPython(install(system, sdist, path.join(place, 'sdist')), ['-c', 'import kitseal'], {}, folder)
  })
}

/** Installs the package into an environment of its own. Returns the path of its Python. */
function install(system: string, file: string, place: string): string {
  execFileSync(system, ['-m', 'venv', place])
  const python = path.join(place, 'bin/python')
  const pip = ['-m', 'pip', 'install', '--no-index', '--disable-pip-version-check', '-q', file]
  execFileSync(python, pip, { stdio: ['ignore', 'ignore', 'inherit'] })
  return python
}
