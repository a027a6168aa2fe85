import {
  ALL_FILES,
  parseProvenance,
  parseStrictJson,
  PROVENANCE_PATH,
  type ProvenanceEntry,
} from '@kitseal/kit/internal'
import type { ObjectStore } from '../objects/object-store.ts'
import { readDocument } from './kit-documents.ts'
import type { KitRecord } from './kit-queries.ts'

/** The entries of the provenance report of a kit. None if it has no report, or if the files are deleted. */
export async function sealedProvenance(
  objects: Pick<ObjectStore, 'read'>,
  kit: KitRecord,
): Promise<readonly ProvenanceEntry[]> {
  const hasReport = kit.expired === undefined && kit.entries.some(({ path }) => path === PROVENANCE_PATH)
  if (!hasReport) return []
  const parsed = parseProvenance(parseStrictJson(await readDocument(objects, kit, PROVENANCE_PATH)))
  return parsed.ok ? parsed.value.entries : []
}

/** Of some files, nothing about the others. */
export function provenanceOfSome(
  entries: readonly ProvenanceEntry[],
  chosen: ReadonlySet<string>,
): readonly ProvenanceEntry[] {
  return entries.flatMap((entry) => {
    if (entry.paths === ALL_FILES) return [entry]
    const paths = entry.paths.filter((path) => chosen.has(path))
    return paths.length === 0 ? [] : [Object.assign({}, entry, { paths })]
  })
}
