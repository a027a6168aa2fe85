import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'

/** Names this process among those that share a store: machine, process, and a random part for processes of one id. */
export function leaseOwner(): string {
  return `${hostname()}/${process.pid}/${randomBytes(6).toString('hex')}`
}

/**
 * Whether an owner is a process of this machine that has ended. A wrong "yes" costs nothing but a repeated piece of
 * work: its lease token is then old, and nothing that it writes is taken.
 */
export function ownerIsGone(owner: string, self: string): boolean {
  const [host, pid] = owner.split('/')
  if (owner === self || host !== hostname()) return false
  const id = Number(pid)
  if (!Number.isSafeInteger(id) || id <= 0) return false
  return id === process.pid || !isAlive(id)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
