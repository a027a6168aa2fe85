// Preloaded by a test: moves the wall clock of the process by the milliseconds in the file CLOCK_FILE, once it exists.
import { existsSync, readFileSync } from 'node:fs'

const file = process.env['CLOCK_FILE'] ?? ''
const realNow = Date.now
let movedMs = 0

function read(): void {
  movedMs = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
}

read()
setInterval(read, 100).unref()
Date.now = () => realNow() + movedMs
