import { filesystemObjects } from './filesystem-objects.ts'
import type { ObjectStore } from './object-store.ts'
import type { ObjectsLocation } from '../settings/parse.ts'
import { s3Objects } from './s3-objects.ts'

export function openObjects(location: ObjectsLocation): ObjectStore {
  return location.is === 's3' ? s3Objects(location) : filesystemObjects(location.path)
}
