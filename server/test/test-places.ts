import { randomUUID } from 'node:crypto'
import type { Environment } from '../src/index.ts'

/** Where a service under test keeps its objects: `KITSEAL_TEST_OBJECTS` names an S3 store that many tests share. */
export function ownPlaces(): Environment & Readonly<Record<string, string>> {
  const objects = process.env['KITSEAL_TEST_OBJECTS'] ?? ''
  if (objects === '') return {}
  const [place = '', query = ''] = objects.split('?', 2)
  return { KITSEAL_OBJECTS: `${place}/${randomUUID()}?${query}` }
}
