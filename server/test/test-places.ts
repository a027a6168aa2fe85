import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Config, Environment } from '../src/index.ts'
import { fileMark } from '../src/log/file-mark.ts'
import type { LogMarks } from '../src/log/mark-guard.ts'

/** Settings for the object store: its own prefix in the S3 store of `KITSEAL_TEST_OBJECTS`, if set. */
export function ownPlaces(): Environment & Readonly<Record<string, string>> {
  const objects = process.env['KITSEAL_TEST_OBJECTS'] ?? ''
  if (objects === '') return {}
  const [place = '', query = ''] = objects.split('?', 2)
  return { KITSEAL_OBJECTS: `${place}/${randomUUID()}?${query}` }
}

/** The settings of a second node on the store of a service. */
export function sameStore(service: { readonly dataFolder: string; readonly config: Config }): Environment {
  const { dataFolder, config } = service
  const location = config.objects as unknown as Record<string, string>
  const objects =
    config.objects.is === 'folder'
      ? location['path']
      : `s3://${location['bucket']}/${location['prefix']}?endpoint=${location['endpoint']}&region=${location['region']}&path_style=true`
  return {
    KITSEAL_DATA: dataFolder,
    KITSEAL_OBJECTS: objects,
    KITSEAL_DATABASE_URL: config.databaseUrl,
  }
}

/** High-water marks in a folder. */
export function marksIn(folder: string): LogMarks {
  return { of: async ({ kid }) => fileMark(join(folder, 'marks'), kid), isOnlyMark: true }
}
