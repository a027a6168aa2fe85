import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '../database/schema.ts'

/** Holds the API key and the owner's link of the first start if no terminal can show them. */
export const firstStartFile = (dataFolder: string): string => join(dataFolder, 'first-start.txt')

/** A file that is already there belongs to a database that is gone. */
export async function writeFirstStart(dataFolder: string, text: string): Promise<void> {
  const path = firstStartFile(dataFolder)
  await rm(path, { force: true })
  await writeFile(path, text, { flag: 'wx', mode: 0o600 })
}

/** Deletes the file once a person has signed in, at any node. */
export async function removeFirstStart(db: Db, dataFolder: string): Promise<void> {
  const path = firstStartFile(dataFolder)
  if (!existsSync(path)) return
  const session = await db.selectFrom('sessions').select('session_id').limit(1).executeTakeFirst()
  if (session !== undefined) await rm(path, { force: true })
}
