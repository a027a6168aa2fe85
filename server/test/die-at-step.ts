// Preloaded by a test: kills the process with SIGKILL at the step named in the file KILL_FILE, once it exists.
import { subscribe } from 'node:diagnostics_channel'
import { existsSync, readFileSync } from 'node:fs'
import { STEPS_CHANNEL } from '../src/runtime/steps.ts'

const file = process.env['KILL_FILE'] ?? ''

subscribe(STEPS_CHANNEL, (step) => {
  if (existsSync(file) && step === readFileSync(file, 'utf8')) process.kill(process.pid, 'SIGKILL')
})
