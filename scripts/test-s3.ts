// `npm run test:s3`: tests of storage, maintenance and the API on real PostgreSQL and S3 servers.
// `npm run test:s3 -- WORD…`: only the files whose path contains one of the words.
import { spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { loadS3 } from '../server/src/objects/s3-client.ts'
import { importBundledPackages } from './bundle-packages.ts'
import { importBundledService } from './bundle-service.ts'
import { runCommand } from './run-command.ts'
import { ON_S3, onlyIn, projectFiles, root } from './test-files.ts'
import { groupTests } from './test-groups.ts'
import { freePort } from '../test/kit/free-port.ts'
import { exitWith, postgresServer } from '../test/kit/postgres.ts'

const NOT_INSTALLABLE = 3
const MAX_ATTEMPTS = 3
/** Includes installing Ceph. */
const START_TIMEOUT_MS = 300_000
const LIMIT_MS = 60 * 60_000
const LONG = /chaos|outage/
const s3Server = path.join(root, 'scripts/s3-server.sh')
const folder = mkdtempSync(path.join(tmpdir(), 'kitseal-s3-'))

exitWith(await main(process.argv.slice(2)))

async function main(words: readonly string[]): Promise<number> {
  const started = performance.now()
  const up = await s3Up()
  try {
    if (up.status === NOT_INSTALLABLE) {
      console.log(`test:s3 SKIPPED: ${up.stderr.trim()}`)
      return 0
    }
    if (up.status !== 0) throw new Error(`the S3 server failed to start: ${up.stderr}`)
    for (const line of up.stdout.trim().split('\n')) {
      const [name = '', value = ''] = line.split('=', 2)
      process.env[name] = value
    }
    await using postgres = await postgresServer()
    const code = await runSuites(words, await newBucket(process.env['S3_ENDPOINT'] ?? ''), postgres.url)
    console.log(`test:s3 took ${((performance.now() - started) / 1000).toFixed(0)} s.`)
    return code
  } finally {
    spawnSync(s3Server, ['down', folder])
  }
}

/** Retry with other ports: another process may take the port, or the next one, which the monitor uses. */
async function s3Up() {
  for (let attempt = 1; ; attempt += 1) {
    const port = String(await freePort())
    const up = spawnSync(s3Server, ['up', folder, port], { encoding: 'utf8', timeout: START_TIMEOUT_MS })
    if (up.status === 0 || up.status === NOT_INSTALLABLE || attempt === MAX_ATTEMPTS) return up
    console.log(`Restarting the S3 server: ${up.stderr.trim()}`)
    spawnSync(s3Server, ['down', folder])
  }
}

async function newBucket(endpoint: string): Promise<string> {
  const [bucket, region] = ['kitseal-test', 'us-east-1']
  const { client, CreateBucketCommand } = await loadS3({
    bucket,
    prefix: '',
    endpoint,
    region,
    pathStyle: true,
  })
  await client.send(new CreateBucketCommand({ Bucket: bucket }))
  client.destroy()
  return `s3://${bucket}/suite?endpoint=${endpoint}&region=${region}&path_style=true`
}

async function runSuites(words: readonly string[], objects: string, database: string): Promise<number> {
  const onlyHere = projectFiles('server/**/*.test.ts').filter((file) => onlyIn(file)?.command === 'test:s3')
  const files = [...onlyHere, ...ON_S3].filter(
    (file) => words.length === 0 || words.some((word) => file.includes(word)),
  )
  // The longest run alone. The others share processes, because each loads the service and the S3 client.
  const runs = groupTests(root, [{ files, isAlone: (file) => LONG.test(file) }], folder)
  const command = [
    process.execPath,
    importBundledPackages(root),
    await importBundledService(root),
    '--test',
    '--test-concurrency=2',
    '--test-timeout=300000',
    '--test-reporter=spec',
    ...runs,
  ]
  const passed = await runCommand(command, {
    cwd: root,
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/kitseal-test'),
      KITSEAL_TEST_OBJECTS: objects,
      KITSEAL_TEST_DATABASE: database,
    },
    limitMs: LIMIT_MS,
    onCut: ({ reason }) => console.error(`test:s3 is cut by ${reason}. Its processes are ended.`),
  })
  return passed ? 0 : 1
}
