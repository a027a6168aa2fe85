import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import {
  BOUNDARY,
  type JsonValue,
  parseStrictJson,
  proveFile,
  StrictJsonError,
  trustKeys,
  verifyKit,
} from '../kit/src/internal.ts'
import { nodeHost, openKit } from '../kit/node/internal.ts'
import { NAMED_SCHEMAS } from '../server/src/site/schemas.ts'
import { SAMPLE_FOLDER } from './make-sample.ts'
import { readVectorFile, vectors } from './stored-vectors.ts'
import type { Vector } from './vector.ts'

interface Schema {
  readonly $id: string
  readonly title: string
  readonly properties: Readonly<Record<string, unknown>>
  readonly required: readonly string[]
}

const folder = path.join(import.meta.dirname, 'schemas')
const schemas = globSync('*.json', { cwd: folder })
  .toSorted()
  .map((file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Schema)
const ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allErrors: true, schemas })
formats.default(ajv)

const validator = (name: string): ValidateFunction => ajv.getSchema(`${name}.json`)!
const accepts = (name: string, value: unknown): void => {
  const validate = validator(name)
  assert.ok(validate(value), `${name}: ${JSON.stringify(validate.errors)}`)
}
const refuses = (name: string, value: unknown, what: string): void =>
  assert.ok(!validator(name)(value), `${name} accepts ${what}`)

const TIMES = { created_at: '2026-05-05T12:00:00.000Z', updated_at: '2026-05-05T12:00:01.000Z' }
const EXAMPLES: Readonly<Record<string, Readonly<Record<string, JsonValue>>>> = {
  'intake-job': {
    job_id: 'job_1',
    tenant_id: 'acme',
    scope_label: 'Access review',
    status: 'ISSUED',
    ...TIMES,
    kit_id: 'kit_1',
    boundary: BOUNDARY,
  },
  'error-response': {
    error: 'Not Found',
    code: 'job_not_found',
    message: 'Job not found. Check the ID, and send the API key of its workspace.',
    request_id: 'req_1',
    boundary: BOUNDARY,
  },
  provenance: {
    provenance_version: 'kitseal-provenance-1',
    entries: [{ paths: 'all files', source: 'supplier', statement: 'stated', system: 'AWS' }],
    boundary: BOUNDARY,
  },
  blocker: {
    code: 'encrypted_entry',
    path: 'a.zip',
    message: 'It is encrypted.',
    remedy: 'Send it unencrypted.',
  },
  finding: {
    code: 'malformed_pdf',
    class: 'damage',
    path: 'a.pdf',
    message: 'It is cut off.',
    remedy: 'Save it again.',
    acknowledged: true,
  },
  submission: {
    submission_id: 'sub_1',
    label: 'May',
    status: 'FAIL',
    job_id: 'job_1',
    kit_id: null,
    profile: null,
    ...TIMES,
    evidence: [{ name: 'a.csv', sha256: '0'.repeat(64), size_bytes: 3, media_type: 'text/csv' }],
    blockers: [{ code: 'too_many_files', path: null, message: 'Too many files.', remedy: 'Send fewer.' }],
    credits_charged: 0,
    deliverables: { 'fail_report.json': '/v1/submissions/sub_1/deliverables/fail_report.json' },
    boundary: BOUNDARY,
  },
}

test('the schemas have an id, title and description, and reference only each other', () => {
  for (const schema of schemas) assert.ok(schema.title.length > 0 && ajv.getSchema(schema.$id), schema.$id)
  assert.deepEqual(
    schemas.map(({ $id }) => $id),
    globSync('*.json', { cwd: folder }).toSorted(),
  )
})

test('the documents of the sample kit and its verification result match their schemas', async () => {
  for (const [name, document] of Object.entries(await sampleDocuments())) accepts(name, document)
})

test('one example of every other resource matches its schema', () => {
  for (const [name, example] of Object.entries(EXAMPLES)) accepts(name, example)
})

test('a missing, unknown or mistyped member makes any resource invalid', async () => {
  for (const [name, document] of Object.entries({ ...EXAMPLES, ...(await sampleDocuments()) })) {
    const { required, properties } = schemas.find(({ $id }) => $id === `${name}.json`)!
    refuses(name, { ...document, unknown: 1 }, 'an unknown member')
    refuses(name, [document], 'a list')
    for (const member of Object.keys(properties)) {
      refuses(name, { ...document, [member]: 12.5 }, `a number as ${member}`)
      const without = Object.fromEntries(Object.entries(document).filter(([other]) => other !== member))
      if (required.includes(member)) refuses(name, without, `no ${member}`)
      else accepts(name, without)
    }
  }
})

test('a PASS with a false boolean or an error is an invalid verification result', async () => {
  const { 'verification-result': result } = await sampleDocuments()
  refuses('verification-result', { ...result, kid_matched: false }, 'PASS without kid_matched')
  refuses('verification-result', { ...result, errors: ['signature_invalid: no'] }, 'PASS with an error')
  accepts('verification-result', {
    ...result,
    status: 'FAIL',
    kid_matched: false,
    errors: ['key_not_in_jwks: no'],
  })
  refuses('submission', { ...EXAMPLES['submission'], credits_charged: 1 }, 'a FAIL that costs a credit')
})

const HAS_SCHEMA = new Set<Vector['kind']>(['receipt', 'manifest', 'proof', 'jwks', 'provenance'])

/** JSON Schema cannot require that each kid is listed once, or compare two dates. */
const NOT_IN_JSON_SCHEMA = new Set([
  'revoked-keys-with-a-key-twice-are-no-key-set',
  'a-provenance-report-with-a-period-that-ends-before-it-begins-is-malformed',
])

test('schemas and parsers agree on every receipt, manifest, proof, key set and provenance report in the vectors', async () => {
  let judged = 0
  for (const vector of vectors) {
    if (!HAS_SCHEMA.has(vector.kind) || NOT_IN_JSON_SCHEMA.has(vector.name)) continue
    const value = await parsedOrUndefined(vector.file)
    const name = vector.kind === 'proof' ? 'file-proof' : vector.kind
    const malformed =
      'accepted' in vector.expected
        ? !vector.expected.accepted
        : 'codes' in vector.expected &&
          vector.expected.codes.some((code) => code === 'receipt_malformed' || code === 'proof_malformed')
    if (malformed) refuses(name, value, vector.name)
    // Verifiers ignore unknown members and keys, which our issuers never publish.
    else if (vector.kind !== 'jwks') accepts(name, value)
    judged++
  }
  assert.ok(judged > 80)
})

test("the service's own schemas have the same members and require at least the same", () => {
  for (const { title, properties, required } of schemas) {
    if (!Object.hasOwn(NAMED_SCHEMAS, title)) continue
    const served = NAMED_SCHEMAS[title as keyof typeof NAMED_SCHEMAS] as unknown as Schema
    for (const member of Object.keys(served.properties)) assert.ok(member in properties, `${title}.${member}`)
    for (const member of required)
      assert.ok(served.required.includes(member), `${title}.${member} is not required`)
  }
})

async function sampleDocuments(): Promise<Readonly<Record<string, Readonly<Record<string, JsonValue>>>>> {
  using kit = await openKit(path.join(SAMPLE_FOLDER, 'kit.zip'))
  const document = async (name: string): Promise<never> =>
    JSON.parse(Buffer.from(await kit.read(name, 1e6)).toString()) as never
  const [manifest, receipt, jwks] = [
    await document('manifest.json'),
    await document('receipt.json'),
    await document('jwks.json'),
  ]
  const { artifacts: _, ...shared } = manifest as Record<string, JsonValue>
  const record = {
    ...shared,
    public_key_kid: receipt['public_key_kid'],
    downloads: { 'kit.zip': '/v1/kits/1' },
  }
  const result = await verifyKit(kit, trustKeys(jwks), nodeHost)
  const proof = proveFile(manifest, receipt, jwks, 'bagit.txt', nodeHost)!
  const plain = JSON.parse(JSON.stringify({ result, proof })) as Record<string, Record<string, JsonValue>>
  return {
    manifest,
    receipt,
    jwks,
    kit: record,
    'verification-result': plain['result']!,
    'file-proof': plain['proof']!,
  }
}

async function parsedOrUndefined(file: string): Promise<JsonValue | undefined> {
  try {
    return parseStrictJson(await readVectorFile(file))
  } catch (error) {
    assert.ok(error instanceof StrictJsonError)
    return undefined
  }
}
