import { statSync } from 'node:fs'
import type { Config } from '../settings/config.ts'
import { sqliteFile } from './sqlite.ts'

type Place = Pick<Config, 'databaseUrl' | 'dataFolder'>

/** Whether a store exists. PostgreSQL counts as existing, and so does a folder that cannot be read: opening it tells why. */
export function hasStore(place: Place): boolean {
  if (place.databaseUrl !== undefined) return true
  try {
    return statSync(sqliteFile(place), { throwIfNoEntry: false }) !== undefined
  } catch {
    return true
  }
}
