import { API, OWN_REQUEST } from '../console/api.ts'

/** Where the routes of the API are mounted for uploads: the console, or the link of a request. */
export interface UploadPlace {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

export const CONSOLE: UploadPlace = { url: API, headers: OWN_REQUEST }
