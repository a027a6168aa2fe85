import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import * as kit from '../../../kit/src/internal.ts'
import { openBytes } from '../../../kit/test/make-kit.ts'
import { nodeHost, openKit } from '../../../kit/node/internal.ts'
import { ISSUER_KEYS } from '../../forge/keys.ts'
import { type Archive, issuedZip, storedEntry } from '../../forge/archive.ts'
import { draftKit, type Files, KIT_ID } from '../../forge/draft-kit.ts'
import type { SeededRandom } from '../../kit/seeded-random.ts'
import { type Contents, readByDirectory, readByStream } from '../plain-readers.ts'
import { damagedArchive, repacked } from '../archive-mutations.ts'
import { damagedBytes } from '../byte-mutations.ts'
import { damagedJson } from '../json-mutations.ts'
import { CaseFailure, type Outcome, type Target } from '../target.ts'

const trust = kit.trustKeys(ISSUER_KEYS)

/** Kits changed after issuing: bytes, headers or documents. */
export function kitTarget(): Target {
  const issued = draftKit({
    evidence: {
      'binder.pdf': '%PDF-1.7 a binder\n',
      'data/ledger.csv': 'date,amount\n2026-05-01,12\n',
      'data/größe.txt': 'Grüße\n',
      'data/empty.txt': '',
    },
  }).files
  const folder = mkdtempSync(path.join(tmpdir(), 'kitseal-fuzz-'))
  return {
    name: 'kits',
    run: async (random) => {
      const zip = changedKit(issued, random)
      const file = path.join(folder, 'kit.zip')
      writeFileSync(file, zip)
      return check(zip, file, issued)
    },
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true }),
  }
}

function changedKit(issued: Files, random: SeededRandom): Uint8Array {
  const files: Files = new Map(issued)
  switch (random.below(5)) {
    case 0:
      return damagedBytes(issuedZip(files), random)
    case 1: {
      const name = random.pick(['receipt.json', 'manifest.json', 'jwks.json', 'receipt.canonical.json'])
      files.set(name, damagedJson(Buffer.from(files.get(name)!).toString(), random))
      return issuedZip(files)
    }
    case 2: {
      const name = random.pick([...files.keys()])
      files.set(name, damagedBytes(Buffer.concat([files.get(name)!, Buffer.of(10)]), random))
      return issuedZip(files)
    }
    default: {
      const archive: Archive = {
        entries: [...files].map(([name, bytes]) => storedEntry(`${KIT_ID}/${name}`, bytes)),
      }
      repacked(archive, random)
      const bytes = damagedArchive(archive, random)
      return random.oneIn(6) ? damagedBytes(bytes, random) : bytes
    }
  }
}

/** Page, library and command line give the same result, and PASS only for what was issued. */
async function check(zip: Uint8Array, file: string, issued: Files): Promise<Outcome> {
  const byNode = await kit.verifyKit(await openBytes(zip), trust, nodeHost)
  const byWeb = await kit.verifyKit(await openBytes(zip, kit.webHost), trust, kit.webHost)
  using opened = await openKit(file)
  const byCommand = await kit.verifyKit(opened, trust, nodeHost)
  try {
    assert.deepEqual(byWeb, byNode, 'the web and Node hosts disagree')
    assert.deepEqual(byCommand, byNode, 'the command line and the library disagree')
    if (byNode.status === 'PASS') assertUnchanged(zip, issued)
  } catch (error) {
    throw new CaseFailure(error instanceof Error ? error.message : String(error), zip)
  }
  return byNode.status === 'PASS' ? 'accepted' : 'refused'
}

function assertUnchanged(zip: Uint8Array, issued: Files): void {
  for (const [reader, contents] of [
    ['the directory', readByDirectory(zip)],
    ['the stream', readByStream(zip)],
  ] as const) {
    if (contents === undefined) continue
    const names = [...issued.keys()].map((name) => `${KIT_ID}/${name}`)
    assert.deepEqual(
      [...contents.keys()].toSorted(),
      names.toSorted(),
      `PASS, but reading by ${reader} gives other files`,
    )
    for (const [name, bytes] of issued) same(contents, name, bytes, reader)
  }
}

/** Envelope documents may be spelled differently; all other files are the same bytes. */
function same(contents: Contents, name: string, bytes: Uint8Array, reader: string): void {
  const seen = contents.get(`${KIT_ID}/${name}`) ?? Buffer.alloc(0)
  if (name === 'receipt.json' || name === 'manifest.json') {
    assert.equal(valueOf(seen), valueOf(bytes), `PASS, but reading by ${reader} gives another ${name}`)
  } else assert.ok(seen.equals(bytes), `PASS, but reading by ${reader} gives other bytes of ${name}`)
}

const valueOf = (document: Uint8Array): string => kit.canonicalJson(kit.parseStrictJson(document))
