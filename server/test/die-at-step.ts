// Loaded before the service by a test: ends the process, as a power cut would, at the step that KILL_AT names.
import { subscribe } from 'node:diagnostics_channel'
import { STEPS_CHANNEL } from '../src/steps.ts'

subscribe(STEPS_CHANNEL, (step) => {
  if (step === process.env['KILL_AT']) process.kill(process.pid, 'SIGKILL')
})
