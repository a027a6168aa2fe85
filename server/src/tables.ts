import type { Table } from './database/table.ts'

/** The tables that nouns declare. */
export const DECLARED: readonly Table[] = []
