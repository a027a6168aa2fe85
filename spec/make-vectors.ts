// `npm run vectors`: writes vectors/. Keys, times and bytes are fixed, so every run writes the same files.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { utf8 } from '../kit/src/encoding/utf8.ts'
import { json } from './making/case.ts'
import { CASES } from './making/cases.ts'
import { KEY_SET_FILES, keySetFile, type KeySetFileName } from './making/key-sets.ts'
import { POLICIES, policyFile, type PolicyName } from './making/policies.ts'
import { ROOTS, rootsFile, type RootsName } from './making/time/roots.ts'
import type { Group, Vector } from './vector.ts'

const EXTENSION = {
  kit: 'zip',
  receipt: 'json',
  proof: 'json',
  json: 'json',
  manifest: 'json',
  jwks: 'json',
  provenance: 'json',
  checkpoint: 'checkpoint',
  'log-proof': 'tlog-proof',
  policy: 'policy',
  'time-stamp': 'tsr',
} as const

/** Every file of vectors/ by its relative path. */
export function vectorFiles(): ReadonlyMap<string, Uint8Array> {
  const files = new Map<string, Uint8Array>()
  const index: Vector[] = []
  for (const [name, set] of Object.entries(KEY_SET_FILES))
    files.set(keySetFile(name as KeySetFileName), json(set))
  for (const [name, policy] of Object.entries(POLICIES))
    files.set(policyFile(name as PolicyName), utf8(policy))
  for (const [name, pem] of Object.entries(ROOTS)) files.set(rootsFile(name as RootsName), utf8(pem))
  for (const [group, cases] of Object.entries(CASES)) {
    for (const { content, evidence, ...rest } of cases) {
      const file = `${group}/${rest.name}.${EXTENSION[rest.kind]}`
      if (files.has(file)) throw new Error(`duplicate vector name: ${rest.name}`)
      files.set(file, content)
      if (evidence !== undefined) files.set(`${group}/${rest.name}.evidence`, evidence)
      index.push(vectorOf(rest, group as Group, file, evidence !== undefined))
    }
  }
  return files.set('index.json', utf8(`[\n${index.map((vector) => JSON.stringify(vector)).join(',\n')}\n]\n`))
}

function vectorOf(rest: { readonly name: string }, group: Group, file: string, hasEvidence: boolean): Vector {
  const { name, ...more } = rest
  const evidence = hasEvidence ? { evidence: `${group}/${name}.evidence` } : {}
  return { name, group, file, ...evidence, ...more } as Vector
}

if (import.meta.main) {
  const folder = path.join(import.meta.dirname, 'vectors')
  rmSync(folder, { recursive: true, force: true })
  const files = vectorFiles()
  for (const [file, bytes] of files) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    writeFileSync(path.join(folder, file), bytes)
  }
  const total = [...files.values()].reduce((sum, bytes) => sum + bytes.length, 0)
  const count = Object.values(CASES).flat().length
  console.log(`${count} vectors, ${files.size} files, ${Math.round(total / 1024)} KiB in spec/vectors`)
}
