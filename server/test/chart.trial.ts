// Only in test:all: needs Helm or Go, and npm packages; deploy.test.ts checks what is recorded
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { CHART, chartDigest, chartValues, FULL, type Manifest, manifestsIn } from './chart.ts'
import { MONITOR_ALONE, RENDERED, SMALL } from './chart.ts'

const ROOT = join(import.meta.dirname, '../..')
const has = (command: string, ...args: readonly string[]): boolean => spawnSync(command, args).status === 0
const hasHelm = has('helm', 'version')
const hasGo = has('go', 'version') && existsSync('/usr/share/gocode/src/github.com/Masterminds/sprig')
const skip = hasHelm || hasGo ? false : 'neither Helm nor Go with sprig is installed'
const folder = mkdtempSync(join(tmpdir(), 'kitseal-chart-'))
after(() => rmSync(folder, { recursive: true }))

test(
  'the chart renders as it is recorded, and every manifest is valid for Kubernetes',
  { skip },
  async () => {
    const text = rendered(FULL)
    if (process.env['RECORD_CHART'] === '1')
      writeFileSync(RENDERED, `# ${chartDigest()}\n${text.replaceAll(/\s+$/gm, '')}\n`)
    assert.deepEqual(manifestsIn(text), manifestsIn(readFileSync(RENDERED, 'utf8')))
    const schemas = kubernetesModels()
    for (const values of [SMALL, FULL, MONITOR_ALONE])
      assert.deepEqual(await problems(schemas, manifestsIn(rendered(values))), [])
    assert.deepEqual(
      manifestsIn(rendered(MONITOR_ALONE)).map(({ kind }) => kind),
      ['PersistentVolumeClaim', 'CronJob'],
    )
    const [first] = manifestsIn(text)
    assert.ok(first !== undefined)
    for (const wrong of [
      { ...first, spek: {} },
      { ...first, spec: { ...first.spec, backoffLimit: 'three' } },
      { ...first, kind: 'Jobb' },
    ])
      assert.notDeepEqual(
        await problems(schemas, [wrong as Manifest]),
        [],
        JSON.stringify(wrong).slice(0, 80),
      )
  },
)

test('helm and kubeconform accept the chart', { skip: !hasHelm && 'Helm is not installed' }, () => {
  execFileSync('helm', ['lint', '--strict', CHART, '--values', valuesFile(FULL)])
  if (has('kubeconform', '-v')) execFileSync('kubeconform', ['-strict', RENDERED])
})

function rendered(values: object): string {
  if (hasHelm) {
    const args = ['template', 'kitseal', CHART, '--namespace', 'kitseal', '--values', valuesFile(values)]
    return execFileSync('helm', args, { encoding: 'utf8' })
  }
  const program = join(folder, 'render-chart')
  if (!existsSync(program)) {
    const env = {
      ...process.env,
      GO111MODULE: 'off',
      GOPATH: '/usr/share/gocode',
      GOCACHE: join(folder, 'go'),
    }
    const source = join(import.meta.dirname, 'render-chart.go')
    execFileSync('go', ['build', '-o', program, source], { env })
  }
  const context = {
    Values: chartValues(values),
    Chart: { Name: 'kitseal', AppVersion: 'VERSION' },
    Release: { Name: 'kitseal', Namespace: 'kitseal', Service: 'Helm' },
  }
  const input = JSON.stringify(context)
  return execFileSync(program, [join(CHART, 'templates')], { input, encoding: 'utf8' })
}

function valuesFile(values: object): string {
  const path = join(folder, 'values.json')
  writeFileSync(path, JSON.stringify(values))
  return path
}

/** Kubernetes’ own schemas, compiled, and as types. */
function kubernetesModels(): string {
  const cache = join(ROOT, '.cache/kubernetes')
  const models = join(cache, 'node_modules/kubernetes-models')
  if (!existsSync(models)) {
    mkdirSync(cache, { recursive: true })
    const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', cache]
    execFileSync('npm', ['install', ...options, 'kubernetes-models@5.1.0'], { stdio: 'pipe' })
  }
  return models
}

/** Types find unknown members, validators wrong values. */
async function problems(models: string, manifests: readonly Manifest[]): Promise<readonly string[]> {
  const found: string[] = []
  const lines: string[] = []
  for (const [at, manifest] of manifests.entries()) {
    const { apiVersion, kind } = manifest
    const path = join(models, apiVersion, kind)
    if (!existsSync(`${path}.js`)) {
      found.push(`Kubernetes has no ${apiVersion} ${kind}`)
      continue
    }
    const module = (await import(pathToFileURL(`${path}.js`).href)) as Record<
      string,
      new (data: object) => Model
    >
    const Kind = module[kind] ?? assert.fail(kind)
    try {
      new Kind(manifest).validate()
    } catch (error) {
      found.push(`${kind}: ${(error as Error).message}`)
    }
    lines.push(`import type { I${kind} as Kind${at} } from '${path}.js'`)
    lines.push(`export const manifest${at}: Kind${at} = ${JSON.stringify(manifest)}`)
  }
  const source = join(models, '../../check.ts')
  writeFileSync(source, lines.join('\n'))
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--ignoreConfig', '--module', 'nodenext']
  const { status, stdout } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), [...options, source], {
    encoding: 'utf8',
  })
  return status === 0 ? found : [...found, stdout]
}

interface Model {
  validate(): void
}
