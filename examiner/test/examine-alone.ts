// Examines the files of a folder, and prints how much memory and time that needed beyond starting.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { scratchFolder } from '../../cli/src/scratch-folder.ts'
import { checkFiles } from '../src/check-files.ts'
import { fileSource, nodeHost } from '../../kit/node/internal.ts'

const folder = process.argv[2] ?? ''
using scratch = scratchFolder()
const platform = { host: nodeHost, store: scratch.store }
const sources = readdirSync(folder).map((name) => ({ name, source: fileSource(join(folder, name)) }))
const before = process.memoryUsage.rss()
const began = performance.now()
await checkFiles(platform, { files: sources, now: '2026-06-30T12:00:00.000Z' })
const seconds = (performance.now() - began) / 1000
// The peak of this process. `maxRSS` starts with that of the parent.
const status = readFileSync('/proc/self/status', 'utf8')
const peakBytes = Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024
process.stdout.write(JSON.stringify({ usedBytes: peakBytes - before, seconds }))
