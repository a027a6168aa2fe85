import { setTimeout as pause } from 'node:timers/promises'
import { smallForm } from './small-form.ts'
import type { Workspace } from '../upload/workspace.ts'

/** Creates a small submission, uploads its files and polls until it is PASS; returns milliseconds. */
export async function submitOne(client: Workspace, number: number, pollMs = 4): Promise<number> {
  const started = performance.now()
  const id = await client.submission()
  const { type, body } = smallForm(number)
  await client.send(`/v1/submissions/${id}/evidence`, body, { 'content-type': type })
  for (;;) {
    await pause(pollMs)
    const { status } = await client.get(`/v1/submissions/${id}`)
    if (status === 'PASS') return performance.now() - started
    if (status === 'FAIL') throw new Error(`submission ${id} failed`)
  }
}
