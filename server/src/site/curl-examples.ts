import type { Shown } from './openapi-document.ts'

const FEDERATION = `'{"label":"GitHub Actions","issuer":"'$CI_ISSUER'","claims":[{"claim":"repository","equals":"acme/evidence"}]}'`

/** Example request bodies by operation ID, of routes that have none themselves. */
const JSON_BODIES: Readonly<Record<string, string>> = {
  createIntakeJob: `'{"tenant_id":"acme","scope_label":"first kit"}'`,
  createFederation: FEDERATION,
  changeFederation: FEDERATION,
  exchangeToken: `'{"grant_type":"urn:ietf:params:oauth:grant-type:token-exchange","subject_token":"'$ID_TOKEN'","subject_token_type":"urn:ietf:params:oauth:token-type:id_token","federation_id":"'$FEDERATION_ID'"}'`,
  resubmit: `'{"keep":[0]}'`,
  createSubmission: `'{"label":"first kit"}'`,
  placeHold: `'{"reason":"case 2026-14"}'`,
  createProfile: `'{"profile":"board-pack","title":"Board pack","description":"For each meeting.","items":[{"id":"minutes","title":"Minutes"}]}'`,
  replaceProfile: `'{"profile":"minutes","title":"Minutes","description":"For each meeting.","items":[]}'`,
  updateSubmission: `'{"tags":["q3","payroll"]}'`,
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
  return [call, ...key, ...(HEADERS[said.operationId] ?? []), ...body(said, sends)].join(' \\\n  ')
}

function body({ operationId, requestBody }: Shown['said'], sends: string | undefined): readonly string[] {
  const [mediaType] = Object.keys(requestBody?.content ?? {})
  if (mediaType === undefined || operationId === 'createUpload') return []
  if (mediaType === 'multipart/form-data') return ['-F file=@access-review.csv -F file=@minutes.pdf']
  const sent = mediaType === 'application/json' ? `-d ${sends}` : '--data-binary @kit.zip'
  return [`-H 'Content-Type: ${mediaType}' ${sent}`]
}
