import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse, parseAllDocuments } from 'yaml'
import { COMMAND_LINE_NAMES, SECRET_NAMES, SETTINGS } from '../src/settings/settings.ts'
import { testService } from './test-service.ts'

const DEPLOY = join(import.meta.dirname, '../../deploy')
const FILES = readdirSync(DEPLOY, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))

test('every setting in deploy/ exists', () => {
  // The script for CI explains its own.
  const script = readFileSync(join(DEPLOY, 'ci/kitseal-ci.sh'), 'utf8')
  const ofScript = [...script.matchAll(/^# {3}(KITSEAL_[A-Z0-9_]+)/gm)].map(([, name = '']) => name)
  const files = SECRET_NAMES.map((name) => `${name}_FILE`)
  const names = [...SETTINGS.map(({ name }) => name), ...files]
  const known = new Set<string>([...names, ...COMMAND_LINE_NAMES, ...ofScript])
  for (const file of FILES) {
    for (const [name] of readFileSync(file, 'utf8').matchAll(/\bKITSEAL_[A-Z0-9_]+/g)) {
      assert.ok(known.has(name), `${file} names ${name}`)
    }
  }
})

test('every YAML file in deploy/ is valid and has no undefined anchors', () => {
  for (const file of FILES.filter((name) => name.endsWith('.yaml'))) {
    const documents = parseAllDocuments(readFileSync(file, 'utf8'), { merge: true })
    assert.ok(Array.isArray(documents) && documents.length > 0, file)
    for (const document of documents) {
      assert.deepEqual(document.errors, [], file)
      assert.notEqual(document.toJS(), null, file)
    }
  }
})

test('docker compose starts two API nodes, two workers, database, object store and proxy', () => {
  const { services } = parse(readFileSync(join(DEPLOY, 'compose.yaml'), 'utf8'), { merge: true }) as {
    readonly services: Readonly<
      Record<string, { readonly environment?: Readonly<Record<string, string>>; readonly image?: string }>
    >
  }
  const roles = Object.values(services).map(({ environment }) => environment?.['KITSEAL_ROLE'])
  assert.equal(roles.filter((role) => role === 'api').length, 2)
  assert.equal(roles.filter((role) => role === 'worker').length, 2)
  for (const name of ['database', 'objects', 'proxy']) assert.ok(services[name]?.image !== undefined, name)
})

test('the image keeps the module for hardware tokens, and its build fails without it', () => {
  const steps = readFileSync(join(DEPLOY, 'Dockerfile'), 'utf8').replaceAll('\\\n', ' ')
  const [, build = ''] = /^RUN (npm ci .*)$/m.exec(steps) ?? []
  assert.match(build, /&& node --eval "require\('pkcs11js'\)"$/)
  assert.doesNotMatch(steps, /--omit=optional/)
})

interface Manifest {
  readonly kind: string
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> }
  readonly spec: {
    readonly template?: {
      readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> }
      readonly spec: { readonly enableServiceLinks?: boolean; readonly containers: readonly Container[] }
    }
    readonly ingress?: readonly {
      readonly from: readonly {
        readonly namespaceSelector: { readonly matchLabels: Readonly<Record<string, string>> }
      }[]
      readonly ports: readonly { readonly port: string }[]
    }[]
  }
}

interface Container {
  readonly env?: readonly object[]
  readonly ports: readonly object[]
}

const manifests = (): readonly Manifest[] =>
  FILES.filter((name) => /kubernetes.*\.yaml$/.test(name)).flatMap((file) =>
    [parseAllDocuments(readFileSync(file, 'utf8'))].flat().map((document) => document.toJS() as Manifest),
  )

test('pods do not get service variables, which could clash with settings', () => {
  const pods = manifests().flatMap(({ spec }) => spec?.template?.spec ?? [])
  assert.equal(pods.length, 3)
  for (const pod of pods) assert.equal(pod.enableServiceLinks, false)
})

test('only the collector reaches the metrics: not the proxy, not the ingress', () => {
  const nginx = readFileSync(join(DEPLOY, 'compose/nginx.conf'), 'utf8')
  const { services } = parse(readFileSync(join(DEPLOY, 'compose.yaml'), 'utf8'), { merge: true }) as {
    readonly services: Readonly<Record<string, { readonly ports?: readonly string[] }>>
  }
  const published = Object.values(services).flatMap(({ ports = [] }) => ports)
  assert.deepEqual(published, ['8080:8080'])
  assert.doesNotMatch(nginx, /9464/)
  const policy = manifests().find(({ kind }) => kind === 'NetworkPolicy')
  assert.deepEqual(
    policy?.spec.ingress?.map(({ from, ports }) => [
      ports[0]?.port,
      from.map(({ namespaceSelector: { matchLabels } }) => matchLabels['kubernetes.io/metadata.name']),
    ]),
    [
      ['http', ['ingress-nginx']],
      ['metrics', ['monitoring']],
    ],
  )
  const pods = manifests().filter(({ kind }) => kind === 'Deployment')
  assert.equal(pods.length, 2)
  for (const { spec } of pods) {
    const { metadata, spec: pod } = spec.template ?? {}
    const [container] = pod?.containers ?? []
    assert.equal(metadata?.annotations?.['prometheus.io/port'], '9464')
    assert.deepEqual(container?.env, [{ name: 'KITSEAL_METRICS_LISTEN', value: '0.0.0.0:9464' }])
    assert.deepEqual(container?.ports[1], { name: 'metrics', containerPort: 9464 })
  }
})

test('the proxy waits long enough for kit verification', () => {
  const nginx = readFileSync(join(DEPLOY, 'compose/nginx.conf'), 'utf8')
  const [, seconds] = /proxy_read_timeout (\d+)s;/.exec(nginx) ?? []
  assert.ok(Number(seconds) > 120)
  const ingress = manifests().find(({ kind }) => kind === 'Ingress')
  assert.equal(ingress?.metadata.annotations?.['nginx.ingress.kubernetes.io/proxy-read-timeout'], seconds)
})

test('every metric in dashboard and alerts exists', async () => {
  await using service = await testService()
  const exposed = new Set([...(await service.metrics()).matchAll(/^# HELP (\w+) /gm)].map(([, name]) => name))
  const files = FILES.filter((file) => /grafana|prometheus/.test(file))
  const referenced =
    files
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n')
      .match(/\bkitseal_\w+/g) ?? []
  assert.ok(referenced.length > 10)
  for (const name of referenced) {
    assert.ok(exposed.has(name) || exposed.has(name.replace(/_(bucket|count|sum)$/, '')), name)
  }
})
