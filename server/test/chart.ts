import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'

export const CHART = join(import.meta.dirname, '../../deploy/helm/kitseal')
/** What the templates give with the values FULL. 1 renders them again, and writes the file with RECORD_CHART=1. */
export const RENDERED = join(import.meta.dirname, 'chart-rendered.yaml')

export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> }
  readonly spec: {
    readonly jobTemplate?: { readonly spec: { readonly template: PodTemplate } }
    readonly template?: PodTemplate
    readonly ingress?: readonly {
      readonly from: readonly {
        readonly namespaceSelector: { readonly matchLabels: Readonly<Record<string, string>> }
      }[]
      readonly ports: readonly { readonly port: string }[]
    }[]
  }
}

interface PodTemplate {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> }
  readonly spec: { readonly enableServiceLinks?: boolean; readonly containers: readonly Container[] }
}

interface Container {
  readonly env?: readonly { readonly name: string; readonly value: string }[]
  readonly ports: readonly object[]
  readonly securityContext: object
}

export const manifestsIn = (text: string): readonly Manifest[] =>
  [parseAllDocuments(text)].flat().flatMap((document) => {
    if (document.errors.length > 0) throw document.errors[0] as Error
    const value = document.toJS() as Manifest | null
    return value === null ? [] : [value]
  })

/** The values of an installation, merged as Helm does. */
export function chartValues(own: object): Record<string, unknown> {
  return merged(parse(readFileSync(join(CHART, 'values.yaml'), 'utf8')) as object, own)
}

const isMap = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function merged(defaults: object, own: object): Record<string, unknown> {
  const entries = Object.entries(own).map(([name, value]): [string, unknown] => {
    const preset: unknown = (defaults as Record<string, unknown>)[name]
    return [name, isMap(preset) && isMap(value) ? merged(preset, value) : value]
  })
  return { ...defaults, ...Object.fromEntries(entries) }
}

export const SMALL = {
  image: { repository: 'registry.example/kitseal' },
  issuer: 'https://kits.example',
  s3: { bucket: 'evidence' },
}
export const FULL = {
  ...SMALL,
  image: { repository: 'registry.example/kitseal', tag: 'VERSION' },
  imagePullSecrets: [{ name: 'registry' }],
  s3: {
    bucket: 'evidence',
    endpoint: 'https://s3.example',
    region: 'eu-central-1',
    pathStyle: true,
    objectLock: true,
  },
  witnesses: {
    policy: 'witness a a.example+1+k https://a.example\nquorum a\n',
    proof: 'require',
    timestampUrls: ['https://tsa.example', 'https://tsa2.example'],
    timestampRoots: '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n',
  },
  mail: { urlKey: 'smtp-url', from: 'Kits <kits@kits.example>' },
  oidc: { issuer: 'https://id.example', clientId: 'kitseal', clientSecretKey: 'oidc-secret' },
  settings: { KITSEAL_LOG_LEVEL: 'warn', KITSEAL_TRUST_PROXY: '2' },
  serviceAccount: { annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/kitseal' } },
  ingress: { className: 'nginx', annotations: { 'cert-manager.io/cluster-issuer': 'letsencrypt' } },
  monitor: { enabled: true, issuer: 'https://other.example', webhook: 'https://alerts.example' },
}
export const MONITOR_ALONE = {
  image: { repository: 'registry.example/kitseal' },
  nodes: false,
  monitor: { enabled: true, issuer: 'https://other.example' },
}

/** Of all that RENDERED is made from. */
export function chartDigest(): string {
  const templates = readdirSync(join(CHART, 'templates')).toSorted()
  const hash = createHash('sha256').update(JSON.stringify(FULL))
  for (const name of ['values.yaml', ...templates.map((template) => `templates/${template}`)])
    hash.update(name).update(readFileSync(join(CHART, name)))
  return hash.digest('hex')
}
