import { randomUUID } from 'node:crypto'
import type { Environment } from '../src/index.ts'

/** Settings for the object store: its own prefix in the S3 store of `KITSEAL_TEST_OBJECTS`, if set. */
export function ownPlaces(): Environment & Readonly<Record<string, string>> {
  const objects = process.env['KITSEAL_TEST_OBJECTS'] ?? ''
  if (objects === '') return {}
  const [place = '', query = ''] = objects.split('?', 2)
  return { KITSEAL_OBJECTS: `${place}/${randomUUID()}?${query}` }
}
