// Preloaded by a test: kills the process with SIGKILL at the step named by KILL_AT.
import { subscribe } from 'node:diagnostics_channel'
import { STEPS_CHANNEL } from '../src/steps.ts'

subscribe(STEPS_CHANNEL, (step) => {
  if (step === process.env['KILL_AT']) process.kill(process.pid, 'SIGKILL')
})
