import { isJsonObject, type JsonValue } from '@kitseal/kit/internal'
import { REQUEST_REPORT_PATH } from '../kits/intake-record.ts'
import { readDocument } from '../kits/kit-documents.ts'
import type { KitRecord } from '../kits/kit-queries.ts'
import type { ObjectStore } from '../objects/object-store.ts'

/** A thing that was asked for, as sealed in the kit. */
interface SealedItem {
  readonly item_id: string
  readonly title: string
  readonly status: string
  /** Paths in the kit. */
  readonly files: readonly string[]
}

const REPORTS = [REQUEST_REPORT_PATH, 'reports/program.json']

/** The items in the report of the request or program. Null if the kit has none, or if its files are deleted. */
export async function kitItems(objects: ObjectStore, kit: KitRecord): Promise<readonly SealedItem[] | null> {
  const path = REPORTS.find((each) => kit.entries.some((entry) => entry.path === each))
  if (path === undefined || kit.expired !== undefined) return null
  const report = JSON.parse((await readDocument(objects, kit, path)).toString()) as JsonValue
  const items = isJsonObject(report) ? report['items'] : undefined
  return Array.isArray(items) ? items.flatMap(itemOf) : null
}

function itemOf(item: JsonValue): readonly SealedItem[] {
  if (!isJsonObject(item)) return []
  const { files } = item
  const paths = (Array.isArray(files) ? files : []).flatMap((file) =>
    isJsonObject(file) && typeof file['path'] === 'string' ? [file['path']] : [],
  )
  const text = (...names: readonly string[]): string =>
    names.map((name) => item[name]).find((value) => typeof value === 'string') ?? ''
  const item_id = text('item_id', 'id')
  return item_id === ''
    ? []
    : [{ item_id, title: text('title') || item_id, status: text('status'), files: paths }]
}
