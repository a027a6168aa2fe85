import { errorResponse } from '../http/error-response.ts'
import { responseHeaders } from '../http/response-headers.ts'
import { REFUSALS, type RefusalCode } from '../refusals.ts'
import { BEFORE_ROUTING } from './operation-codes.ts'

const EXAMPLE_ID = 'req_4Xw0s6S1d2v3b4n5m6a7s8d9f0g'

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  '400': 'The request is invalid. `message` lists every problem.',
  '401': 'The API key is missing or not valid.',
  '402': 'The workspace has no credits left.',
  '403': 'Not allowed for this workspace, or the API key does not have the scope.',
  '404': 'Not found in this workspace.',
  '408': 'The request did not arrive in time.',
  '409': 'Conflicts with an earlier request or with the current state.',
  '410': 'Expired: deleted at the end of the retention period, or an upload that took too long.',
  '413': 'The body is too large.',
  '415': 'The media type of the body is not supported.',
  '412': 'The current ETag does not match `If-Match`, or `Tus-Resumable` is not supported.',
  '416': 'The requested range is outside the file.',
  '423': 'All bytes have arrived and are being stored: ask again.',
  '429': 'Too many requests. `Retry-After` says how long to wait.',
  '460': 'The body does not match `Upload-Checksum`.',
  '503': 'Overloaded, or the database or object store is unavailable. `Retry-After` says how long to wait.',
  '507': 'The disks of the service are almost full. `Retry-After` says how long to wait.',
  default:
    'Any other error: the HTTP request is malformed, the path or the method does not exist, or the service has a fault.',
}

/** The error responses that operations share, with an example of every code. */
export const ERROR_RESPONSES: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries(DESCRIPTIONS).map(([status, description]) => [
    nameOf(status),
    {
      description,
      headers: responseHeaders({}, status),
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/ErrorResponse' },
          examples: examplesOf(status),
        },
      },
    },
  ]),
)

/** Refers to the shared response for a status. */
export function errorReference(status: string): { readonly $ref: string } {
  if (!Object.hasOwn(DESCRIPTIONS, status)) throw new Error(`error-responses.ts does not describe ${status}`)
  return { $ref: `#/components/responses/${nameOf(status)}` }
}

function nameOf(status: string): string {
  return status === 'default' ? 'Error' : `Error${status}`
}

function examplesOf(status: string): Readonly<Record<string, object>> {
  const isOf = (code: RefusalCode): boolean =>
    status === 'default' ? BEFORE_ROUTING.includes(code) : REFUSALS[code][0] === Number(status)
  return Object.fromEntries(
    (Object.keys(REFUSALS) as RefusalCode[]).filter(isOf).map((code) => [code, { value: exampleOf(code) }]),
  )
}

/** Without the boundary, which is the same in all. */
function exampleOf(code: RefusalCode): object {
  const { boundary: _, ...example } = errorResponse(code, REFUSALS[code][1], EXAMPLE_ID)
  return example
}
