import { OWN_REQUEST } from '@kitseal/client/console'

/** Where the routes of the API are mounted for uploads: the console, or the link of a request. */
export interface UploadPlace {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

export const CONSOLE: UploadPlace = { url: '', headers: OWN_REQUEST }
