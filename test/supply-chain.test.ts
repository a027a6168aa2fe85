import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { lockedPackages, type LockedPackage, lockText } from '../scripts/locked-packages.ts'

const root = path.dirname(import.meta.dirname)
const packages = lockedPackages()

/** Allowed licences of packages that we distribute, and why. */
const LICENCES: Readonly<Record<string, string>> = {
  MIT: 'permissive',
  'MIT-0': 'permissive, without the condition to keep the notice',
  ISC: 'permissive',
  '0BSD': 'permissive',
  'BSD-2-Clause': 'permissive',
  'BSD-3-Clause': 'permissive',
  'Python-2.0': 'permissive',
  'Apache-2.0': 'permissive; also the licence of this project',
  'CC0-1.0': 'public domain',
  'OFL-1.1': 'fonts; allows embedding in documents',
}
/** Allowed in addition for unmodified development tools. */
const IN_DEVELOPMENT: Readonly<Record<string, string>> = {
  ...LICENCES,
  'MPL-2.0': 'copyleft per file; used unmodified',
  Unlicense: 'public domain',
}

const licencesOf = (licence: string): readonly string[] =>
  licence.replaceAll(/[()]/g, '').split(/ (?:AND|OR) /)

function refusedLicences(all: readonly LockedPackage[]): readonly string[] {
  return all
    .filter(
      ({ licence, dev }) =>
        !licencesOf(licence).every((one) => Object.hasOwn(dev ? IN_DEVELOPMENT : LICENCES, one)),
    )
    .map(({ place, licence }) => `${place}: ${licence === '' ? 'none' : licence}`)
}

test('every locked package has an allowed licence', () => {
  assert.ok(packages.length > 100)
  assert.deepEqual(refusedLicences(packages), [])
})

test('a package with a missing or unknown licence is caught', () => {
  const [some] = packages
  assert.ok(some !== undefined)
  for (const licence of ['', 'GPL-3.0', 'MIT AND AGPL-3.0', 'SEE LICENSE IN LICENSE'])
    assert.equal(refusedLicences([{ ...some, licence }]).length, 1, licence)
  assert.equal(refusedLicences([{ ...some, licence: 'MPL-2.0', dev: false }]).length, 1)
})

test('every install script is explicitly allowed or denied', () => {
  const { allowScripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    allowScripts: Readonly<Record<string, boolean>>
  }
  const npmrc = readFileSync(path.join(root, '.npmrc'), 'utf8')
  const scripted = packages.filter(({ hasInstallScript }) => hasInstallScript)
  const forHere = scripted.filter(
    ({ name }) => !/(darwin|windows|linux-(?:arm|ia32|ppc64))(-|$)/.test(name.replace('arm64', '')),
  )
  const undecided = forHere.filter(({ name }) => !Object.hasOwn(allowScripts, name))
  assert.deepEqual(
    undecided.map(({ name }) => name),
    [],
  )
  const names = new Set(scripted.map(({ name }) => name))
  assert.deepEqual(
    Object.keys(allowScripts).filter((name) => !names.has(name)),
    [],
    'listed, but not installed',
  )
  assert.match(npmrc, /omit-lockfile-registry-resolved/)
})

test('every package is pinned by SHA-512, and the lock file names no registry', () => {
  assert.deepEqual(
    packages.filter(({ integrity }) => !integrity.startsWith('sha512-')).map(({ place }) => place),
    [],
  )
  assert.ok(!/"resolved": "https?:/.test(lockText()))
})
