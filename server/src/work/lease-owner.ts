import { randomBytes } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** Names this process among those that share a store: place, process, and a random part for processes of one id. */
export function leaseOwner(): string {
  return `${place()}/${process.pid}/${randomBytes(6).toString('hex')}`
}

export interface Self {
  readonly owner: string
  /** Whether processes of other machines use the store too. */
  readonly shared: boolean
}

/**
 * Whether an owner is a process of this place that has ended. Host names are not unique, and in containers neither are
 * process ids: where a store is shared, only a process of the same boot and the same process table is looked for. In the
 * embedded store a wrong "yes" costs nothing but a repeated piece of work: its lease token is then old, and nothing that
 * it writes is taken.
 */
export function ownerIsGone(owner: string, self: Self): boolean {
  const [where = '', pid] = owner.split('/')
  if (owner === self.owner) return false
  const here = place()
  if (self.shared ? where !== here || !isTold(here) : hostOf(where) !== hostOf(here)) return false
  const id = Number(pid)
  if (!Number.isSafeInteger(id) || id <= 0) return false
  return id === process.pid || !isAlive(id)
}

/** The host, its boot and the table that its process ids are from; `?` where the system does not tell. */
function place(): string {
  return `${hostname()} ${told(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 13))} ${told(
    () => /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '?',
  )}`
}

const hostOf = (where: string): string => where.split(' ')[0] ?? ''
const isTold = (where: string): boolean => !where.includes('?')

function told(read: () => string): string {
  try {
    return read()
  } catch {
    return '?'
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
