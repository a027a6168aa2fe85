import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NoteKey } from '@kitseal/kit'
import type { Witness } from '../src/witness/add-checkpoint.ts'
import { createWitnessFolder, openWitnessFolder } from '../src/witness/witness-folder.ts'
import { witnessServer, type WitnessServerOptions } from '../src/witness/witness-server.ts'

export interface RunningWitness extends AsyncDisposable {
  readonly url: string
  readonly key: NoteKey
  readonly folder: string
  readonly forks: readonly (readonly [cosigned: string, refused: string])[]
  readonly failures: readonly unknown[]
  post(body: string | Uint8Array<ArrayBuffer>): Promise<Reply>
}

export interface Reply {
  readonly status: number
  readonly type: string | null
  readonly text: string
}

export interface WitnessChanges extends Partial<WitnessServerOptions> {
  readonly change?: (witness: Witness) => Partial<Witness>
}

/** A witness in this process, in a folder of its own. */
export async function startWitness(
  logKeys: readonly NoteKey[],
  { change, ...options }: WitnessChanges = {},
): Promise<RunningWitness> {
  const parent = mkdtempSync(join(tmpdir(), 'kitseal-witness-'))
  const folder = join(parent, 'witness')
  await createWitnessFolder(folder, 'witness.example/w1', undefined)
  const opened = openWitnessFolder(folder, undefined)
  const forks: (readonly [string, string])[] = []
  const failures: unknown[] = []
  for (const { name } of logKeys) opened.store.add(name)
  const made: Witness = {
    key: opened.key,
    sign: opened.signer.sign,
    store: opened.store,
    logs: Map.groupBy(logKeys, ({ name }) => name),
    now: Date.now,
    onFork: (cosigned, refused) => forks.push([cosigned, refused]),
  }
  const server = witnessServer(
    { ...made, ...change?.(made) },
    {
      requestsPerSecond: 0,
      onFailure: (error) => failures.push(error),
      ...options,
    },
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    key: opened.key,
    folder,
    forks,
    failures,
    post: (body) => postCheckpoint(url, body),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      opened[Symbol.dispose]()
      rmSync(parent, { recursive: true })
    },
  }
}

export async function postCheckpoint(url: string, body: string | Uint8Array<ArrayBuffer>): Promise<Reply> {
  const response = await fetch(`${url}/add-checkpoint`, { method: 'POST', body })
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
}
