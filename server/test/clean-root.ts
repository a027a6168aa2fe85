import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

export type Instruction = readonly [name: string, rest: string]

/** The instructions of the last stage of a Dockerfile. */
export function lastStage(dockerfile: string): readonly Instruction[] {
  const lines = dockerfile.replaceAll(/\\\n\s*/g, '').split('\n')
  const all = lines.flatMap((line): Instruction[] => {
    const [, name, rest] = /^([A-Z]+) (.*)$/.exec(line) ?? []
    return name === undefined || rest === undefined ? [] : [[name, rest]]
  })
  return all.slice(all.findLastIndex(([name]) => name === 'FROM'))
}

/**
 * A root folder with the programs of this machine, its own /etc and Node.js in /usr/local/bin, as the base image has. `run` starts a
 * command in it with its own processes, mounts and network, whose second address is OUTSIDE.
 */
export class CleanRoot {
  readonly path: string
  readonly env: Readonly<Record<string, string>>

  constructor(path: string, env: Readonly<Record<string, string>>) {
    this.path = path
    this.env = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', ...env }
    for (const name of ['etc', 'dev', 'proc', 'tmp', 'usr/local/bin'])
      mkdirSync(join(path, name), { recursive: true })
    chmodSync(path, 0o755)
    for (const name of ['passwd', 'group', 'shadow', 'gshadow', 'login.defs', 'nsswitch.conf', 'ld.so.cache'])
      if (existsSync(`/etc/${name}`)) copyFileSync(`/etc/${name}`, join(path, 'etc', name))
    writeFileSync(join(path, 'etc/hosts'), '127.0.0.1 localhost\n')
    cpSync(process.execPath, join(path, 'usr/local/bin/node'))
    for (const name of ['bin', 'sbin', 'lib', 'lib64'].filter((link) => existsSync(`/${link}`)))
      if (lstatSync(`/${name}`).isSymbolicLink()) symlinkSync(readlinkSync(`/${name}`), join(path, name))
      else mkdirSync(join(path, name))
    for (const name of SYSTEM) mkdirSync(join(path, name), { recursive: true })
  }

  /** Runs a step of the image as root, with a root folder that can be written to. */
  step(command: string): void {
    const script = `${this.#mounts()}\nexec chroot ${this.path} sh -ec "$1"`
    execFileSync('unshare', ['--mount', 'sh', '-ec', script, 'sh', command], { stdio: 'pipe', env: this.env })
  }

  /** Starts a command as `docker run --read-only --tmpfs /tmp` would; each volume is a folder of this machine. */
  start(user: string, command: readonly string[], volumes: Readonly<Record<string, string>>) {
    const script = [
      `ip link set lo up; ip addr add ${OUTSIDE}/32 dev lo`,
      this.#mounts(),
      ...Object.entries(volumes).map(([at, folder]) => `mount --bind ${folder} ${this.path}${at}`),
      `mount -t tmpfs none ${this.path}/tmp; mount -t proc proc ${this.path}/proc`,
      `mount -o remount,ro,bind ${this.path}`,
      `exec chroot --userspec=${user} --groups= ${this.path} sh -c 'cd /app && exec "$0" "$@"' "$@"`,
    ].join('\n')
    const args = ['--mount', '--pid', '--net', '--fork', '--kill-child', 'sh', '-ec', script, 'sh']
    return spawn('unshare', [...args, ...command], { stdio: 'pipe', env: this.env })
  }

  /** A shell script that acts as `docker`, for `docker exec [-i] NAME COMMAND…` in the process `pid`. */
  dockerFor(pid: number, user: string): string {
    const variables = Object.entries(this.env).map(([name, value]) => `${name}='${value}'`)
    return `#!/bin/sh
[ "$1" = exec ] || exit 64
shift; [ "$1" = -i ] && shift; shift
exec nsenter -t ${pid} -m -n -p chroot --userspec=${user} --groups= ${this.path} env -i ${variables.join(' ')} "$@"
`
  }

  #mounts(): string {
    const binds = SYSTEM.map((name) => `mount --rbind /${name} ${this.path}/${name}`)
    return [`mount --bind ${this.path} ${this.path}`, ...binds].join('\n')
  }
}

/** The process that `unshare` started. */
export const childOf = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim())

/** An address of the container that is not loopback. */
export const OUTSIDE = '192.0.2.1'

const SYSTEM = ['usr/bin', 'usr/sbin', 'usr/lib', 'dev'].concat(
  ['bin', 'sbin', 'lib', 'lib64'].filter(
    (name) => existsSync(`/${name}`) && !lstatSync(`/${name}`).isSymbolicLink(),
  ),
)
