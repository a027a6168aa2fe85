// Preloaded by a test: while the file named by FAULT_FILE exists, file operations fail as its content says.
import fs, { existsSync, readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { until } from '../../test/kit/until.ts'

const METHODS = ['write', 'read', 'sync', 'datasync'] as const
type Method = (...args: unknown[]) => Promise<unknown>

const file = process.env['FAULT_FILE'] ?? ''
const handle = await open(process.execPath)
const prototype = Object.getPrototypeOf(handle) as Record<(typeof METHODS)[number], Method>
await handle.close()

const currentFault = (): string => (existsSync(file) ? readFileSync(file, 'utf8') : '')
const ioError = (syscall: string): Error =>
  Object.assign(new Error('EIO: i/o error'), { code: 'EIO', errno: -5, syscall })

for (const name of METHODS) {
  const original = prototype[name]
  prototype[name] = async function (this: unknown, ...args) {
    const fault = currentFault()
    if (fault === `${name} EIO`) throw ioError(name)
    if (fault === 'stuck' && name !== 'read') await until(() => !existsSync(file))
    return original.apply(this, args)
  }
}

// What the work thread calls for small files.
const { fsync, readSync, writeSync } = fs
Object.assign(fs, {
  readSync: (descriptor: number, ...args: [Uint8Array]) => {
    if (currentFault() === 'read EIO') throw ioError('read')
    return readSync(descriptor, ...args)
  },
  writeSync: (descriptor: number, ...args: [Uint8Array]) => {
    if (descriptor > 2 && currentFault() === 'write EIO') throw ioError('write')
    return writeSync(descriptor, ...args)
  },
  fsync: (descriptor: number, done: (error: Error | null) => void) => {
    const fault = currentFault()
    if (fault === 'sync EIO') done(ioError('fsync'))
    else if (fault === 'stuck') void until(() => !existsSync(file)).then(() => fsync(descriptor, done))
    else fsync(descriptor, done)
  },
})
syncBuiltinESMExports()
