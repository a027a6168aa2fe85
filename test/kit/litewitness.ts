import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { nodeHost } from '@kitseal/kit/node'
import * as kit from '@kitseal/kit/internal'
import { freePort } from './free-port.ts'

/** The folder of torchwood's programs; empty if they are not available here. */
export function torchwoodPrograms(): string {
  const fetcher = path.join(import.meta.dirname, '../../../shared/tools/torchwood')
  const fetched = spawnSync(fetcher, [path.join(tmpdir(), 'kitseal-tools-torchwood')], { encoding: 'utf8' })
  return fetched.status === 0 ? fetched.stdout.trim() : ''
}

/** A witness of torchwood as a process, on a free port. */
export interface Litewitness extends AsyncDisposable {
  readonly url: string
  readonly vkey: string
}

export async function startLitewitness(
  programs: string,
  folder: string,
  logKey: kit.NoteKey,
): Promise<Litewitness> {
  const at = (name: string): string => path.join(folder, name)
  const control = (command: string, ...args: readonly string[]): void =>
    void execFileSync(path.join(programs, 'witnessctl'), [command, '-db', 'witness.db', ...args], {
      cwd: folder,
      stdio: 'ignore',
    })
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', at('witness.key')])
  const socket = at('agent.sock')
  const agent = spawn('ssh-agent', ['-D', '-a', socket], { stdio: 'ignore' })
  const added = (): number | null =>
    spawnSync('ssh-add', ['-q', at('witness.key')], { env: { ...process.env, SSH_AUTH_SOCK: socket } }).status
  while (added() !== 0) await sleep(50)
  const fingerprint = execFileSync('ssh-keygen', ['-lf', at('witness.key')], { encoding: 'utf8' }).split(
    ' ',
  )[1]!
  control('add-log', '-origin', logKey.name)
  control('add-key', '-origin', logKey.name, '-key', kit.vkey(logKey))
  const port = await freePort()
  const args = [
    '-db',
    'witness.db',
    '-key',
    fingerprint,
    '-listen',
    `127.0.0.1:${port}`,
    '-name',
    'w.example',
  ]
  const server = spawn(path.join(programs, 'litewitness'), [...args, '-ssh-agent', socket], {
    cwd: folder,
    stdio: 'ignore',
  })
  const url = `http://127.0.0.1:${port}`
  while (
    !(await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await sleep(50)
  // The last 32 bytes of an OpenSSH public key are the raw key.
  const publicKey = Buffer.from(
    readFileSync(at('witness.key.pub'), 'utf8').split(' ')[1]!,
    'base64',
  ).subarray(-32)
  return {
    url,
    vkey: kit.vkey(kit.noteKey('w.example', kit.ED25519_COSIGNATURE, publicKey, nodeHost.digest)),
    [Symbol.asyncDispose]: async () => {
      for (const started of [server, agent]) started.kill()
      await Promise.all([server, agent].map((started) => new Promise((ended) => started.once('exit', ended))))
    },
  }
}
