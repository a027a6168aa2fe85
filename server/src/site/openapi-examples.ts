import { readFileSync } from 'node:fs'
import type { Operation, Shown } from './openapi-document.ts'

/** Responses of the service to the commands in the API reference, by operation. */
const RESPONSES = JSON.parse(
  readFileSync(new URL('example-responses.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, unknown>>

/** Gives an operation an example of each path parameter, body and successful response that is text. */
export function addExamples(operation: Operation, sends: string | undefined): void {
  const { operationId, parameters = [], requestBody, responses } = operation
  for (const parameter of parameters)
    if (parameter.in === 'path') parameter.example = pathExample(operationId, parameter.name)
  for (const [mediaType, body] of Object.entries(requestBody?.content ?? {})) {
    if (mediaType === 'multipart/form-data') body.example = { file: ['access-review.csv', 'minutes.pdf'] }
    else if (sends !== undefined) body.example = requestExample(sends)
  }
  const [, answer] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  const [content] = Object.values(answer?.content ?? {})
  if (content === undefined) return
  if (operationId === 'getOpenApi')
    content.example = { openapi: '3.1.0', info: { title: 'kitseal' }, paths: {} }
  else if (operationId in RESPONSES) content.example = RESPONSES[operationId]
}

const ID = '4Xw0s6S1d2v3b4n5m6a7s8d9f0g'

/** Values of the shell variables in the commands of the API reference. */
const VALUES: Readonly<Record<string, string>> = {
  JOB_ID: `job_${ID}`,
  KIT_ID: `kit_${ID}`,
  SUBMISSION_ID: `sub_${ID}`,
  UPLOAD_ID: `upl_${ID}`,
  SHARE_ID: `shr_${ID}`,
  ROOM_ID: `shr_${ID}`,
  COMMENT_ID: `cmt_${ID}`,
  EVIDENCE_REQUEST_ID: `evr_${ID}`,
  ITEM_ID: 'CC6.1',
  PROGRAM_ID: `prg_${ID}`,
  PERIOD: '2026-Q4',
  POSITION: '0',
  WEBHOOK_ID: `whk_${ID}`,
  KEY_ID: `key_${ID}`,
  FEDERATION_ID: `fed_${ID}`,
  PROFILE: 'minutes',
  SERIES: 'access-review',
  FORMAT: 'in-toto',
  NAME: 'manifest.json',
  REPORT: 'intake_report.json',
  FILE_PATH: 'data/access-review.csv',
  LEVEL: '0',
  ID_TOKEN: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJyZXBvOmFjbWUvZXZpZGVuY2UifQ.c2lnbmF0dXJl',
  CI_ISSUER: 'https://token.actions.githubusercontent.com',
}

const pathExample = (operationId: string, name: string): string | undefined =>
  operationId === 'getLogTile' && name === 'name' ? '000' : VALUES[name.toUpperCase()]

/** The body of the curl command, with values instead of shell variables. */
function requestExample(text: string): unknown {
  if (text.startsWith('@')) return RESPONSES['getReceipt']
  const plain = text
    .replaceAll(/'\$\(date [^)]*\)'/g, '2026-12-01T00:00:00Z')
    .replaceAll(/'\$(\w+)'/g, (_all, name: string) => VALUES[name] ?? '')
  return JSON.parse(plain.slice(1, -1))
}

const FEDERATION = `'{"label":"GitHub Actions","issuer":"'$CI_ISSUER'","claims":[{"claim":"repository","equals":"acme/evidence"}]}'`

/** Example request bodies by operation ID, of routes that have none themselves. */
const JSON_BODIES: Readonly<Record<string, string>> = {
  createFederation: FEDERATION,
  changeFederation: FEDERATION,
  exchangeToken: `'{"grant_type":"urn:ietf:params:oauth:grant-type:token-exchange","subject_token":"'$ID_TOKEN'","subject_token_type":"urn:ietf:params:oauth:token-type:id_token","federation_id":"'$FEDERATION_ID'"}'`,
  setTrust: `'{"data":[]}'`,
  verifyReceipt: '@receipt.json',
}

/** The example of a request body, as the shell reads it. A text that begins with a dollar sign is for the shell. */
export const bodyText = (operationId: string, sent: unknown): string | undefined =>
  sent === undefined
    ? JSON_BODIES[operationId]
    : `'${JSON.stringify(sent).replaceAll(/"(\$[^"]+)"/g, `"'$1'"`)}'`

/** Queries by operation ID, if some parameters are required. */
const QUERIES: Readonly<Record<string, string>> = { compareKits: '?from=$KIT_ID&to=$OTHER_KIT_ID' }

const TUS = `-H 'Tus-Resumable: 1.0.0'`

/** Headers of resumable uploads by operation ID. */
const HEADERS: Readonly<Record<string, readonly string[]>> = {
  createUpload: [
    TUS,
    '-H "Upload-Length: $(wc -c < kit.zip)"',
    '-H "Upload-Metadata: filename $(printf kit.zip | base64)"',
  ],
  appendToUpload: [TUS, `-H 'Upload-Offset: 0'`],
  deleteUpload: [TUS],
}

/** A curl command to paste, with shell variables for values. */
export function example({ method, path, said, sends }: Shown): string {
  const address = `$BASE${path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => `$${name.toUpperCase()}`)}`
  const query = QUERIES[said.operationId] ?? ''
  const isFile = path.endsWith('/download') || /\{(?:name|report|file_path)\}$/.test(path)
  const call = [
    'curl',
    ...(isFile ? ['-O -J'] : path.endsWith('/stream') ? ['-N'] : []),
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    `"${address}${query}"`,
  ].join(' ')
  const key = said.security !== undefined ? ['-H "X-API-Key: $KITSEAL_API_KEY"'] : []
  return [call, ...key, ...(HEADERS[said.operationId] ?? []), ...bodyOptions(said, sends)].join(' \\\n  ')
}

function bodyOptions({ operationId, requestBody }: Shown['said'], sends: string | undefined) {
  const [mediaType] = Object.keys(requestBody?.content ?? {})
  if (mediaType === undefined || operationId === 'createUpload') return []
  if (mediaType === 'multipart/form-data') return ['-F file=@access-review.csv -F file=@minutes.pdf']
  const sent = mediaType === 'application/json' ? `-d ${sends}` : '--data-binary @kit.zip'
  return [`-H 'Content-Type: ${mediaType}' ${sent}`]
}
