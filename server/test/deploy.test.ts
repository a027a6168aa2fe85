import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import { parse, parseAllDocuments } from 'yaml'
import { readConfig } from '../src/settings/config.ts'
import { COMMAND_LINE_NAMES, SECRET_NAMES, SETTINGS } from '../src/settings/settings.ts'
import { testService } from '../../test/kit/service.ts'

const DEPLOY = join(import.meta.dirname, '../../deploy')
const CHART = join(DEPLOY, 'helm/kitseal')
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
  for (const file of FILES.filter((name) => name.endsWith('.yaml') && !name.includes('/templates/'))) {
    const documents = parseAllDocuments(readFileSync(file, 'utf8'), { merge: true })
    assert.ok(Array.isArray(documents) && documents.length > 0, file)
    for (const document of documents) {
      assert.deepEqual(document.errors, [], file)
      assert.notEqual(document.toJS(), null, file)
    }
  }
})

test('docker compose starts two API nodes, two workers, database, object store and proxy', () => {
  const { services } = parse(readFileSync(join(DEPLOY, 'compose.several-nodes.yaml'), 'utf8'), {
    merge: true,
  }) as {
    readonly services: Readonly<
      Record<string, { readonly environment?: Readonly<Record<string, string>>; readonly image?: string }>
    >
  }
  const roles = Object.values(services).map(({ environment }) => environment?.['KITSEAL_ROLE'])
  assert.equal(roles.filter((role) => role === 'api').length, 2)
  assert.equal(roles.filter((role) => role === 'worker').length, 2)
  for (const name of ['database', 'objects', 'proxy']) assert.ok(services[name]?.image !== undefined, name)
})

test('docker compose runs one node on two volumes behind Caddy, which alone has published ports', () => {
  const { services, secrets } = parse(readFileSync(join(DEPLOY, 'compose.yaml'), 'utf8')) as Compose
  const published = Object.entries(services).filter(([, { ports = [] }]) => ports.length > 0)
  assert.deepEqual(
    published.map(([name]) => name),
    ['caddy'],
  )
  const { environment = {}, volumes, read_only: isReadOnly } = services['kitseal'] ?? {}
  assert.deepEqual(volumes, ['data:/data', 'mark:/mark'])
  assert.equal(isReadOnly, true)
  const given = Object.entries(environment).map(([name, value]) => [name.replace(/_FILE$/, ''), value])
  const issuer = { KITSEAL_ISSUER: 'https://kits.example' }
  assert.ok(readConfig({ ...Object.fromEntries(given), ...issuer } as Record<string, string>).ok)
  assert.match(readFileSync(join(DEPLOY, 'compose/Caddyfile'), 'utf8'), /reverse_proxy kitseal:8080 /)
  assert.deepEqual(Object.keys(secrets), ['passphrase'])
})

test('the secrets of both compose files are created once, and only their owner can open their folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-deploy-'))
  try {
    cpSync(join(DEPLOY, 'compose'), join(folder, 'compose'), { recursive: true })
    const make = () => {
      execFileSync('sh', [join(folder, 'compose/make-secrets.sh')])
      const names = readdirSync(join(folder, 'secrets'))
      return Object.fromEntries(
        names.map((name) => [name, readFileSync(join(folder, 'secrets', name), 'utf8')]),
      )
    }
    const made = make()
    assert.equal(statSync(join(folder, 'secrets')).mode & 0o777, 0o700)
    assert.match(made['passphrase'] ?? '', /^[0-9a-f]{64}\n$/)
    assert.equal(
      made['database-url'],
      `postgres://kitseal:${made['postgres-password']?.trim()}@database:5432/kitseal\n`,
    )
    assert.deepEqual(make(), made)
    for (const file of ['compose.yaml', 'compose.several-nodes.yaml']) {
      const { secrets } = parse(readFileSync(join(DEPLOY, file), 'utf8'), { merge: true }) as Compose
      for (const { file: path } of Object.values(secrets)) assert.ok(existsSync(join(folder, path)), path)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})

interface Compose {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly environment?: Readonly<Record<string, string>>
        readonly ports?: readonly string[]
        readonly volumes?: readonly string[]
        readonly read_only?: boolean
      }
    >
  >
  readonly secrets: Readonly<Record<string, { readonly file: string }>>
}

test('the image keeps the module for hardware tokens, and its build fails without it', () => {
  const steps = readFileSync(join(DEPLOY, 'Dockerfile'), 'utf8').replaceAll('\\\n', ' ')
  const [, build = ''] = /^RUN (npm ci .*)$/m.exec(steps) ?? []
  assert.match(build, /&& node --eval "require\('pkcs11js'\)"$/)
  assert.doesNotMatch(steps, /--omit=optional/)
})

const SMALL = {
  image: { repository: 'images.example/kitseal' },
  issuer: 'https://kits.example',
  s3: { bucket: 'evidence' },
}
const MONITOR_ALONE = {
  image: { repository: 'images.example/kitseal' },
  nodes: false,
  monitor: { enabled: true, issuer: 'https://other.example' },
}

test('the values of the chart are closed, and contain no secrets', () => {
  const defaults = parse(readFileSync(join(CHART, 'values.yaml'), 'utf8')) as object
  const validate = new Ajv({ strict: false }).compile(
    JSON.parse(readFileSync(join(CHART, 'values.schema.json'), 'utf8')) as object,
  )
  const isValid = (values: object): boolean => validate(merged(defaults, values))
  for (const values of [SMALL, MONITOR_ALONE]) assert.ok(isValid(values), JSON.stringify(validate.errors))
  const wrong: readonly object[] = [
    {},
    { ...SMALL, image: {} },
    { ...SMALL, issuer: '' },
    { ...SMALL, issuer: 'http://kits.example' },
    { ...SMALL, issuer: 'https://kits.example/path' },
    { ...SMALL, s3: { bucket: '' } },
    { ...SMALL, s3: { bucket: 'evidence', bukket: 'x' } },
    { ...SMALL, s3: { bucket: 'evidence', endpoint: 'https://user:secret@s3.example' } },
    { ...SMALL, replicas: 2 },
    { ...SMALL, api: { replicas: 0 } },
    { ...SMALL, settings: { PORT: '1' } },
    { ...SMALL, settings: { KITSEAL_WORKERS: 4 } },
    { ...SMALL, witnesses: { proof: 'always' } },
    { ...MONITOR_ALONE, monitor: { enabled: true } },
  ]
  for (const values of wrong) assert.ok(!isValid(values), JSON.stringify(values))
  for (const name of SECRET_NAMES) assert.ok(!isValid({ ...SMALL, settings: { [name]: 'x' } }), name)
})

test('the chart has the version of the service', () => {
  const { version, appVersion } = parse(readFileSync(join(CHART, 'Chart.yaml'), 'utf8')) as Record<
    string,
    string
  >
  const own = JSON.parse(readFileSync(join(DEPLOY, '../package.json'), 'utf8')) as {
    readonly version: string
  }
  assert.deepEqual([version, appVersion], [own.version, own.version])
})

const isMap = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** As Helm merges the values of an installation with those of the chart. */
function merged(defaults: object, own: object): Record<string, unknown> {
  const entries = Object.entries(own).map(([name, value]): [string, unknown] => {
    const preset: unknown = (defaults as Record<string, unknown>)[name]
    return [name, isMap(preset) && isMap(value) ? merged(preset, value) : value]
  })
  return { ...defaults, ...Object.fromEntries(entries) }
}

const template = (name: string): string => readFileSync(join(CHART, 'templates', name), 'utf8')

/** What the chart defines under a name. */
const defined = (name: string): string =>
  template('_helpers.tpl').split(`{{- define "kitseal.${name}" -}}`)[1]?.split('{{- define')[0] ?? ''

test('the secrets of the chart are files', () => {
  const env = defined('env')
  for (const name of SECRET_NAMES) assert.ok(!env.includes(`"${name}"`), name)
  const files = [...env.matchAll(/"KITSEAL_\w+_FILE" \(printf "([^"]+)"/g)].map(([, path]) => path)
  assert.deepEqual(files, Array(4).fill('/run/secrets/kitseal/%s'))
})

test('every pod runs without root, capabilities, service variables and a root folder that can be written to', () => {
  const pods = ['monitor.yaml', 'nodes.yaml'].map(template)
  const all = readdirSync(join(CHART, 'templates')).filter((name) => template(name).includes('containers:'))
  assert.equal(all.length, pods.length)
  for (const pod of pods)
    assert.match(
      pod,
      /include "kitseal\.pod"[^]*containers:\n +- name: .*\n +\{\{- include "kitseal\.container"/,
    )
  assert.match(defined('pod'), /^enableServiceLinks: false$/m)
  assert.match(defined('pod'), /runAsNonRoot: true/)
  assert.deepEqual(parse(/^securityContext: (.*)$/m.exec(defined('container'))?.[1] ?? ''), {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  })
})

test('only the collector reaches the metrics: not the proxy, not the ingress', () => {
  const nginx = readFileSync(join(DEPLOY, 'compose/nginx.conf'), 'utf8')
  const { services } = parse(readFileSync(join(DEPLOY, 'compose.several-nodes.yaml'), 'utf8'), {
    merge: true,
  }) as {
    readonly services: Readonly<Record<string, { readonly ports?: readonly string[] }>>
  }
  const published = Object.values(services).flatMap(({ ports = [] }) => ports)
  assert.deepEqual(published, ['8080:8080'])
  assert.doesNotMatch(nginx, /9464/)
  const [, policy = ''] = template('network.yaml').split('kind: NetworkPolicy')
  const rules = policy.matchAll(/networkPolicy\.(\w+)Namespace .*\n +ports: \[\{ port: (\w+) \}\]/g)
  assert.deepEqual(
    Array.from(rules, ([, from, port]) => [from, port]),
    [
      ['ingress', 'http'],
      ['metrics', 'metrics'],
    ],
  )
})

test('the proxy waits long enough for kit verification', () => {
  const nginx = readFileSync(join(DEPLOY, 'compose/nginx.conf'), 'utf8')
  const [, seconds] = /proxy_read_timeout (\d+)s;/.exec(nginx) ?? []
  assert.ok(Number(seconds) > 120)
  assert.ok(template('network.yaml').includes(`nginx.ingress.kubernetes.io/proxy-read-timeout: '${seconds}'`))
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
