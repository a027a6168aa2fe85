import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lockedPackages } from '../scripts/locked-packages.ts'
import { bill } from '../scripts/release.ts'
import { NODE_BINARIES } from '../scripts/release-program.ts'

interface Bill {
  readonly bomFormat: string
  readonly components: readonly { readonly 'bom-ref': string; readonly purl: string }[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

test('the bill of materials lists every package and every Node.js of a release, and all its references resolve', () => {
  const made = bill() as Bill
  assert.equal(made.bomFormat, 'CycloneDX')
  const refs = new Set(made.components.map((each) => each['bom-ref']))
  assert.equal(refs.size, made.components.length)
  const listed = new Set(made.components.map(({ purl }) => decodeURIComponent(purl)))
  for (const { name, version } of lockedPackages()) assert.ok(listed.has(`pkg:npm/${name}@${version}`), name)
  for (const { name, version } of NODE_BINARIES) assert.ok(listed.has(`pkg:npm/${name}@${version}`), name)
  for (const { dependsOn } of made.dependencies) for (const ref of dependsOn) assert.ok(refs.has(ref), ref)
  const fastify = made.dependencies.find(({ ref }) => ref.startsWith('fastify@'))
  assert.ok((fastify?.dependsOn.length ?? 0) > 5)
})
