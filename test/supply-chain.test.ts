import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { lockedPackages, type LockedPackage, lockText } from '../scripts/locked-packages.ts'
import { bill } from '../scripts/bill-of-materials.ts'

const root = path.dirname(import.meta.dirname)
const packages = lockedPackages()

/** Licences under which others' work may come along, and why each may. */
const LICENCES: Readonly<Record<string, string>> = {
  MIT: 'permissive',
  ISC: 'permissive',
  '0BSD': 'permissive',
  'BSD-2-Clause': 'permissive',
  'BSD-3-Clause': 'permissive',
  'Apache-2.0': 'permissive, and the licence of this project',
  'CC0-1.0': 'given to everyone',
  'OFL-1.1': 'fonts, which may be embedded in documents',
}
/** A licence that asks for more is taken for what is used in development alone, unchanged. */
const IN_DEVELOPMENT: Readonly<Record<string, string>> = { ...LICENCES, 'MPL-2.0': 'file by file; unchanged' }

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

test('every package that is pinned has a licence that may come along', () => {
  assert.ok(packages.length > 100)
  assert.deepEqual(refusedLicences(packages), [])
})

test('a package without a licence, or with one that nobody chose, is caught', () => {
  const [some] = packages
  assert.ok(some !== undefined)
  for (const licence of ['', 'GPL-3.0', 'MIT AND AGPL-3.0', 'SEE LICENSE IN LICENSE'])
    assert.equal(refusedLicences([{ ...some, licence }]).length, 1, licence)
  assert.equal(refusedLicences([{ ...some, licence: 'MPL-2.0', dev: false }]).length, 1)
})

test('every script that would run at an installation is named and decided upon', () => {
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
    'decided, and not there',
  )
  assert.match(npmrc, /omit-lockfile-registry-resolved/)
})

test('every package is pinned by a SHA-512, and the lock names no place to fetch it from', () => {
  assert.deepEqual(
    packages.filter(({ integrity }) => !integrity.startsWith('sha512-')).map(({ place }) => place),
    [],
  )
  assert.ok(!/"resolved": "https?:/.test(lockText()))
})

interface Bill {
  readonly bomFormat: string
  readonly specVersion: string
  readonly serialNumber: string
  readonly components: readonly { readonly 'bom-ref': string; readonly purl: string }[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

test('the bill of materials names every package once, and every reference in it leads somewhere', () => {
  const made = bill() as Bill
  assert.deepEqual([made.bomFormat, made.specVersion], ['CycloneDX', '1.6'])
  assert.match(
    made.serialNumber,
    /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  )
  const refs = new Set(made.components.map((each) => each['bom-ref']))
  assert.equal(refs.size, packages.length)
  for (const { dependsOn } of made.dependencies) for (const ref of dependsOn) assert.ok(refs.has(ref), ref)
  const fastify = made.dependencies.find(({ ref }) => ref.startsWith('node_modules/fastify@'))
  assert.ok((fastify?.dependsOn.length ?? 0) > 5)
})

test('npm run sbom prints the bill', () => {
  const said = execFileSync('npm', ['run', '--silent', 'sbom'], { cwd: root, maxBuffer: 1 << 26 }).toString()
  assert.deepEqual(JSON.parse(said), bill())
})
