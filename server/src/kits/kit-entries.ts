import type { KitEntry } from '../database/schema.ts'

/** The files of a kit, from its row. */
export const parseEntries = (entries: string): readonly KitEntry[] => JSON.parse(entries) as KitEntry[]
