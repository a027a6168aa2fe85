import { createHash } from 'node:crypto'
import { ENVELOPE } from '../src/envelope.ts'
import { canonicalJson } from '../src/encoding/canonical-json.ts'
import type { JsonObject } from '../src/encoding/strict-json.ts'
import type { Manifest } from '../src/manifest.ts'
import { ALL_FILES, type ProvenanceEntry } from '../src/provenance.ts'
import type { Receipt } from '../src/receipt.ts'

interface OscalInput {
  readonly receipt: Receipt
  readonly manifest: Manifest
  /** Of the provenance report. Empty if the kit has none. */
  readonly provenance: readonly ProvenanceEntry[]
  /** When the evidence was deleted, if it was. */
  readonly erasedAt?: string | undefined
}

/**
 * A kit as OSCAL 1.1 assessment results: its files with their hashes in the back matter, and an observation for each
 * output of a known tool. The same kit gives the same document.
 */
export function oscalResults({ receipt, manifest, provenance, erasedAt }: OscalInput): JsonObject {
  const { kit_id, issuer, issued_at, scope, boundary } = receipt
  const uuid = (name: string): string => uuidV5(`${issuer}/v1/kits/${kit_id}/export/oscal#${name}`)
  const file = (path: string, sha256: string): JsonObject => ({
    uuid: uuid(path),
    title: plain(path),
    rlinks: [{ href: hrefOf(path), hashes: [{ algorithm: 'SHA-256', value: sha256 }] }],
  })
  const erased = erasedAt === undefined ? '' : ` Its evidence was deleted on ${erasedAt}.`
  const observations = provenance.flatMap((entry, index) =>
    entry.source === 'recognised' && entry.paths !== ALL_FILES
      ? [
          {
            uuid: uuid(`observation ${index}`),
            title: plain(`What ${entry.format} output says about itself`),
            description: `${plain(entry.summary)}\n\nStated by the file. Nobody verified it.`,
            methods: ['UNKNOWN'],
            collected: instantOf(entry.time) ?? issued_at,
            'relevant-evidence': entry.paths.map((path) => ({
              href: `#${uuid(path)}`,
              description: plain(path),
            })),
          },
        ]
      : [],
  )
  const receiptSha256 = createHash('sha256').update(canonicalJson(receipt)).digest('hex')
  return {
    'assessment-results': {
      uuid: uuid(''),
      metadata: {
        title: plain(`Evidence kit: ${scope}`),
        'last-modified': issued_at,
        version: receipt.receipt_version,
        'oscal-version': '1.1.2',
        remarks: `Kit ${kit_id}, issued by ${plain(issuer)}.${erased} This document is not signed: verify the kit. ${boundary}`,
      },
      'import-ap': { href: `#${uuid('assessment plan')}` },
      results: [
        {
          uuid: uuid('result'),
          title: plain(`Evidence kit: ${scope}`),
          description:
            'Files that were sealed together, and what those from known tools say about themselves.',
          start: issued_at,
          'reviewed-controls': { 'control-selections': [{ description: 'No control was assessed.' }] },
          ...(observations.length === 0 ? {} : { observations }),
        },
      ],
      'back-matter': {
        resources: [
          {
            uuid: uuid('assessment plan'),
            title: 'No assessment plan',
            description: 'There is no assessment plan: the kit contains evidence only.',
          },
          file(ENVELOPE.receipt, receiptSha256),
          ...manifest.artifacts.map(({ path, sha256 }) => file(path, sha256)),
        ],
      },
    },
  }
}

/** OSCAL reads titles and descriptions as Markdown, and names and summaries are what a supplier wrote. */
const plain = (text: string): string => text.replace(/[\\`*<>[\]{}&]/g, '\\$&').replace(/\s+/g, ' ')

const hrefOf = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

/** Undefined if the file states no time zone, or no valid time. */
function instantOf(time = ''): string | undefined {
  const isZoned = /^(19|2\d)\d\d-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(time)
  const at = isZoned ? Date.parse(time) : Number.NaN
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}

/** The namespace of URLs (RFC 9562, section 6.6). */
const URLS = Buffer.from('6ba7b8119dad11d180b400c04fd430c8', 'hex')

function uuidV5(url: string): string {
  const bytes = createHash('sha1').update(URLS).update(url).digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x50
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
