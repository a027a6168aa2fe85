import assert from 'node:assert/strict'
import { createHash, createPublicKey } from 'node:crypto'
import { after, before, test } from 'node:test'
import { Sign1 } from '@auth0/cose'
import { bundleFromJSON } from '@sigstore/bundle'
import { toSignedEntity, toTrustMaterial, Verifier } from '@sigstore/verify'
import * as transmute from '@transmute/cose'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { parseTlogProof, parseVkey, publicJwk } from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import { TOOL_OUTPUTS } from '../../../examiner/test/tool-outputs.ts'
import { OSCAL_ASSESSMENT_RESULTS } from '../../../kit/test/oscal-schema.ts'
import { kitsUnderTest } from '../../test/test-kits.ts'
import { type TestService, testService } from '../../../test/kit/service.ts'
import { form, type WorkspaceClient, workspaceClient } from '../../../test/kit/workspace.ts'
import { EXPORTS } from './export-kit.ts'

const SCAN = TOOL_OUTPUTS['Prowler OCSF'] ?? { content: '', summary: '' }
let service: TestService
let acme: WorkspaceClient
let kitId: string
before(async () => {
  service = await testService()
  acme = await workspaceClient(service)
  const id = await acme.submission({ label: 'Q3 <script> [review](https://evil.example)' })
  await acme.upload(id, form({ 'scan.json': SCAN.content, 'Über 100%.txt': 'x' }))
  kitId = String((await acme.ended(id))['kit_id'])
})
after(() => service[Symbol.asyncDispose]())

const exported = (format: string) => acme.get(`/v1/kits/${kitId}/export/${format}`)
const artifacts = async () =>
  (await acme.get(`/v1/kits/${kitId}/manifest`)).json['artifacts'] as readonly {
    readonly path: string
    readonly sha256: string
  }[]
const keyOf = (x: string) => createPublicKey({ key: { ...publicJwk(x) }, format: 'jwk' })

async function logKey() {
  const policy = await (await fetch(`${service.base}/log/policy`)).text()
  const key = parseVkey(/^log (\S+)/.exec(policy)?.[1] ?? '', nodeHost.digest)
  return { id: `${key.name}+${key.keyId}`, key: keyOf(Buffer.from(key.publicKey).toString('base64url')) }
}

test('a COSE receipt verifies with libraries of others, for the leaf beside it and no other', async () => {
  const { bytes, headers } = await exported('cose')
  assert.match(String(headers.get('content-type')), /^application\/cose/)
  const leaf = Buffer.from(String(headers.get('kitseal-log-leaf')).replaceAll(':', ''), 'base64')
  const receipt = (await acme.get(`/v1/kits/${kitId}/receipt`)).bytes
  assert.equal(JSON.parse(leaf.toString()).receipt_sha256, createHash('sha256').update(receipt).digest('hex'))
  const { id, key } = await logKey()
  const verify = async (entry: Uint8Array, cose = bytes): Promise<unknown> =>
    transmute.receipt.inclusion.verify({
      entry: await transmute.receipt.leaf(entry),
      receipt: new Uint8Array(cose).buffer,
      verifier: {
        verify: ({ coseSign1, payload }) =>
          Sign1.decode(new Uint8Array(coseSign1))
            .verify(key, { detachedPayload: new Uint8Array(payload) })
            .then(() => payload),
      },
    })
  await verify(leaf)
  const { protectedHeaders, unprotectedHeaders } = Sign1.decode(bytes)
  assert.deepEqual(
    [...protectedHeaders],
    [
      [1, -8],
      [4, Buffer.from(id)],
      [395, 1],
    ],
  )
  assert.deepEqual([...unprotectedHeaders.keys()], [396])
  await assert.rejects(verify(Buffer.from(leaf.toString().replace('receipt_', 'Receipt_'))))
  await assert.rejects(verify(leaf, Buffer.concat([bytes.subarray(0, -1), Buffer.of(bytes.at(-1)! ^ 1)])))
})

test('an in-toto statement names every file of the kit and verifies with the library of Sigstore', async () => {
  const { json: envelope } = await exported('in-toto')
  const { keys } = (await (await fetch(`${service.base}/.well-known/jwks.json`)).json()) as {
    readonly keys: readonly { readonly x: string; readonly kid: string }[]
  }
  assert.equal((envelope['signatures'] as { keyid: string }[])[0]?.keyid, keys[0]?.kid)
  const root = { mediaType: 'application/vnd.dev.sigstore.trustedroot+json;version=0.1' }
  const none = { tlogs: [], certificateAuthorities: [], ctlogs: [], timestampAuthorities: [] }
  const trust = toTrustMaterial({ ...root, ...none }, () => ({
    publicKey: keyOf(keys[0]?.x ?? ''),
    validFor: () => true,
  }))
  const verifier = new Verifier(trust, { tlogThreshold: 0, ctlogThreshold: 0, timestampThreshold: 0 })
  const verify = (dsseEnvelope: object) =>
    verifier.verify(
      toSignedEntity(
        bundleFromJSON({
          mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
          verificationMaterial: { publicKey: { hint: keys[0]?.kid }, tlogEntries: [] },
          dsseEnvelope,
        }),
      ),
    )
  verify(envelope)
  const payload = Buffer.from(String(envelope['payload']), 'base64').toString()
  const changed = Buffer.from(payload.replace('scan.json', 'Scan.json')).toString('base64')
  assert.throws(() => verify({ ...envelope, payload: changed }))
  const statement = JSON.parse(payload)
  assert.equal(statement['_type'], 'https://in-toto.io/Statement/v1')
  assert.deepEqual(
    statement.subject,
    (await artifacts()).map(({ path, sha256 }) => ({ name: path, digest: { sha256 } })),
  )
  const { log } = (await acme.get(`/v1/kits/${kitId}`)).json as { log: { origin: string; index: number } }
  assert.deepEqual(statement.predicate.log, { origin: log.origin, index: log.index })
})

test('OSCAL results list every file with its hash, and one observation for what a scanner wrote', async () => {
  const { json: document } = await exported('oscal')
  const ajv = new Ajv2020({ allErrors: true })
  formats.default(ajv)
  const isValid = ajv.compile(OSCAL_ASSESSMENT_RESULTS)
  assert.ok(isValid(document), ajv.errorsText(isValid.errors))
  assert.ok(!isValid({ ...document, extra: 1 }))
  const { results, 'back-matter': backMatter, metadata } = document['assessment-results'] as unknown as Oscal
  const hashes = new Map(
    backMatter.resources.flatMap(({ rlinks = [] }) =>
      rlinks.map(({ href, hashes: [hash] }) => [decodeURIComponent(href), hash?.value]),
    ),
  )
  for (const { path, sha256 } of await artifacts()) assert.equal(hashes.get(path), sha256)
  const [observation, ...more] = results[0]?.observations ?? []
  assert.equal(more.length, 0)
  assert.ok(observation?.description.startsWith(SCAN.summary))
  const scan = backMatter.resources.find(({ title }) => title === 'data/scan.json')
  assert.equal(observation?.['relevant-evidence'][0]?.href, `#${scan?.uuid}`)
  assert.equal(metadata.title, String.raw`Evidence kit: Q3 \<script\> \[review\](https://evil.example)`)
  assert.deepEqual((await exported('oscal')).json, document)
})

interface Oscal {
  readonly metadata: { readonly title: string }
  readonly results: readonly {
    readonly observations?: readonly {
      readonly description: string
      readonly 'relevant-evidence': readonly { readonly href: string }[]
    }[]
  }[]
  readonly 'back-matter': {
    readonly resources: readonly {
      readonly uuid: string
      readonly title?: string
      readonly rlinks?: readonly {
        readonly href: string
        readonly hashes: readonly { readonly value: string }[]
      }[]
    }[]
  }
}

test('nothing is signed for a receipt that is not in the log, a manifest that it does not name, or a foreign checkpoint', async () => {
  await using place = await kitsUnderTest()
  const { kit } = await place.issue()
  const of = async (change: object) =>
    Object.fromEntries(
      await Promise.all(
        (['cose', 'in-toto'] as const).map(async (format) => {
          const found = { ...(await place.ctx.kits.find(kit.kit_id))!, ...change }
          const made = EXPORTS[format].make(place.ctx, found)
          return [
            format,
            await made.then(
              () => 'signed',
              (error: Error) => error.message.slice(0, 12),
            ),
          ]
        }),
      ),
    )
  assert.deepEqual(await of({}), { cose: 'signed', 'in-toto': 'signed' })
  const other = kit.receipt.replace('"scope":"scope"', '"scope":"other"')
  assert.deepEqual(await of({ receipt: other }), { cose: 'the receipt ', 'in-toto': 'the receipt ' })
  const manifest = (await place.app.inject(`/v1/kits/${kit.kit_id}/manifest`)).body
  const expired = { at: '2026-03-01', manifest: manifest.replace(/"size_bytes":\d+/, '"size_bytes":1') }
  assert.deepEqual(await of({ expired }), { cose: 'signed', 'in-toto': 'the manifest' })
  const proof = parseTlogProof((await place.ctx.transparencyLog.proofOf(kit.kit_id))!)
  const [own] = proof.checkpoint.signatures
  const forged = { ...own!, signature: own!.signature.map((byte) => byte ^ 1) }
  for (const signatures of [[], [forged]])
    await assert.rejects(
      place.ctx.transparencyLog.coseReceipt({ ...proof, checkpoint: { ...proof.checkpoint, signatures } }),
      /the log has not signed this checkpoint/,
    )
})

test('an unknown format and a kit that the caller may not read are 404', async () => {
  for (const format of ['pdf', 'toString'])
    assert.equal((await exported(format)).json['code'], 'route_not_found')
  const other = await workspaceClient(service)
  for (const format of ['cose', 'in-toto', 'oscal']) {
    const { status, json } = await other.get(`/v1/kits/${kitId}/export/${format}`)
    assert.deepEqual([status, json['code']], [404, 'kit_not_found'])
  }
})
