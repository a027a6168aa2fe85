// Preloaded by a test: while the file named by FAULT_FILE exists, file operations fail as its content says.
import { existsSync, readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { until } from './until.ts'

const METHODS = ['write', 'read', 'sync', 'datasync'] as const
type Method = (...args: unknown[]) => Promise<unknown>

const file = process.env['FAULT_FILE'] ?? ''
const handle = await open(process.execPath)
const prototype = Object.getPrototypeOf(handle) as Record<(typeof METHODS)[number], Method>
await handle.close()

for (const name of METHODS) {
  const original = prototype[name]
  prototype[name] = async function (this: unknown, ...args) {
    const fault = existsSync(file) ? readFileSync(file, 'utf8') : ''
    if (fault === `${name} EIO`)
      throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO', errno: -5, syscall: name })
    if (fault === 'stuck' && name !== 'read') await until(() => !existsSync(file))
    return original.apply(this, args)
  }
}
