import type { RecognisedOutput } from '@kitseal/examiner'
import {
  ALL_FILES,
  asLine,
  BOUNDARY,
  canonicalJson,
  type JsonValue,
  PROVENANCE_PATH,
  PROVENANCE_VERSION,
  type ProvenanceEntry,
  statedFor,
  type SubmissionProvenance,
} from '@kitseal/kit/internal'
import type { EvidenceTable } from '../database/schema.ts'
import { type MadeFile, madeJson } from '../kits/pack-files.ts'
import { factsIn, type ReceivedFact } from './received-by.ts'

/** A file in data/, and the upload that it came with. */
interface FileOfUpload {
  readonly path: string
  readonly from: string
  readonly recognised?: RecognisedOutput | undefined
}

/** reports/provenance.json of a submission. `sender`: facts about the person who submitted all of it. */
export function provenanceOf(
  uploads: readonly Pick<EvidenceTable, 'name' | 'received'>[],
  files: readonly FileOfUpload[],
  stated: SubmissionProvenance | null,
  sender: readonly ReceivedFact[] = [],
): MadeFile {
  const received = receivedByName(uploads)
  const entries = groupedEntries(
    files.map(({ path }) => path),
    files.flatMap(({ path, from, recognised }) => {
      const name = path.slice('data/'.length)
      const said = stated === null ? undefined : statedFor(stated, name)
      return [
        ...factsIn(received.get(from) ?? null),
        ...sender,
        ...(said === undefined ? [] : [{ source: 'supplier', statement: 'stated', ...said } as const]),
        ...(recognised === undefined ? [] : recognisedFact(recognised)),
      ].map((fact) => [path, fact] as const)
    }),
  )
  return provenanceFile(entries)
}

export const provenanceFile = (entries: readonly ProvenanceEntry[]): MadeFile =>
  madeJson(PROVENANCE_PATH, {
    provenance_version: PROVENANCE_VERSION,
    entries: entries as unknown as JsonValue,
    boundary: BOUNDARY,
  })

/** By the name of the upload. Of two archives with the same name, it is not known which one a file came with. */
function receivedByName(
  uploads: readonly Pick<EvidenceTable, 'name' | 'received'>[],
): ReadonlyMap<string, string | null> {
  const byName = new Map<string, string | null>()
  for (const { name, received } of uploads) {
    const key = name.toWellFormed()
    const isKnown = !byName.has(key) || byName.get(key) === received
    byName.set(key, isKnown ? received : null)
  }
  return byName
}

/** One entry for equal facts about several files. */
function groupedEntries(
  paths: readonly string[],
  facts: readonly (readonly [path: string, fact: ReceivedFact])[],
): readonly ProvenanceEntry[] {
  const groups = new Map<string, { readonly fact: ReceivedFact; readonly paths: string[] }>()
  for (const [path, fact] of facts) {
    const key = canonicalJson(fact as unknown as JsonValue)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { fact, paths: [path] })
    else group.paths.push(path)
  }
  return [...groups.values()].map(({ fact, paths: of }) => entryOf(fact, of, paths.length))
}

const entryOf = (fact: ReceivedFact, paths: readonly string[], files: number): ProvenanceEntry =>
  ({ ...fact, paths: paths.length === files ? ALL_FILES : paths }) as unknown as ProvenanceEntry

/** The texts come from a file, so they are cut to what a report can have. */
function recognisedFact(recognised: RecognisedOutput): readonly ReceivedFact[] {
  const { counts } = recognised
  const [format, summary] = [asLine(recognised.format, 100), asLine(recognised.summary, 1000)]
  if (format === undefined || summary === undefined) return []
  const optional = { tool: 200, version: 200, target: 500, time: 40 } as const
  const members = Object.entries(optional).flatMap(([name, maxLength]) => {
    const text = asLine(recognised[name as keyof typeof optional] ?? '', maxLength)
    return text === undefined ? [] : [[name, text]]
  })
  const fine = counts.slice(0, 50).flatMap(({ name, count }) => {
    const text = asLine(name, 100)
    return text !== undefined && Number.isSafeInteger(count) && count >= 0 ? [{ name: text, count }] : []
  })
  const fact = { source: 'recognised', statement: 'stated', format, counts: fine, summary } as const
  return [{ ...fact, ...(Object.fromEntries(members) as Record<string, string>) }]
}
