import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { processSpace } from '@kitseal/kit/internal/node'

/** A unique name of this process: machine, process ID and a random part. */
export function leaseOwner(): string {
  return `${machine()}/${process.pid}/${randomBytes(6).toString('hex')}`
}

export interface Self {
  readonly owner: string
  /** Whether other machines use the same database. */
  readonly shared: boolean
}

/**
 * Whether the owner is a process of this machine that has ended. Host names are not unique, and in containers neither are
 * process IDs: with a shared database, boot ID and PID namespace must match too. With SQLite a wrong "yes" is harmless:
 * the work is repeated, and the lease token rejects the writes of the first process.
 */
export function ownerIsGone(owner: string, self: Self): boolean {
  const [ownerMachine = '', pid] = owner.split('/')
  if (owner === self.owner) return false
  const here = machine()
  const isElsewhere = self.shared
    ? ownerMachine !== here || here.includes('?')
    : hostOf(ownerMachine) !== hostOf(here)
  if (isElsewhere) return false
  const id = Number(pid)
  if (!Number.isSafeInteger(id) || id <= 0) return false
  return id === process.pid || !isAlive(id)
}

/** Host name, boot ID and PID namespace; `?` if the system does not provide them. */
function machine(): string {
  const { boot, namespace } = processSpace()
  return `${hostname()} ${boot} ${namespace}`
}

const hostOf = (name: string): string => name.split(' ')[0] ?? ''

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
