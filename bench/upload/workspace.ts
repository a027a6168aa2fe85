import { Agent, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { type Administration, openAdministration, readConfig } from '@kitseal/server'

export interface Workspace {
  readonly key: string
  post(path: string, body: object): Promise<Record<string, unknown>>
  get(path: string): Promise<Record<string, unknown>>
  /** Posts bytes. */
  send(
    path: string,
    body: Uint8Array,
    headers: Readonly<Record<string, string>>,
  ): Promise<Record<string, unknown>>
  submission(): Promise<string>
  /** Polls until PASS or FAIL; returns the status and the seconds it took. */
  ended(id: string): Promise<{ readonly status: string; readonly seconds: number; readonly record: object }>
}

/** A workspace of a running service with ample credits. */
export function workspace(base: string, dataFolder: string): Promise<Workspace> {
  return workspaceIn(base, { KITSEAL_DATA: dataFolder })
}

/** The same for a service with these settings. */
export async function workspaceIn(
  base: string,
  settings: Readonly<Record<string, string>>,
): Promise<Workspace> {
  await using admin = await administrationOf(settings)
  const asked = { name: 'bench', plan: 'default', credits: 100_000, keyLabel: 'bench' }
  const { text: key } = (await admin.workspaces.create(asked, { is: 'operator' })).key
  return clientOf(base, key)
}

/** The API key of a new workspace with this limit of an upload. */
export async function keyForLarge(dataFolder: string, limitBytes: number): Promise<string> {
  await using admin = await administrationOf({ KITSEAL_DATA: dataFolder })
  await admin.plans.create('large', { uploadLimitBytes: limitBytes, unpackedLimitBytes: limitBytes })
  const asked = { name: 'Large', plan: 'large', credits: 100, keyLabel: 'bench' }
  return (await admin.workspaces.create(asked, { is: 'operator' })).key.text
}

export function administrationOf(settings: Readonly<Record<string, string>>): Promise<Administration> {
  const config = readConfig(settings)
  if (!config.ok) throw new Error(config.problems.join('\n'))
  return openAdministration(config.value)
}

/** A client with an API key. */
export function clientOf(base: string, key: string): Workspace {
  const headers = { 'x-api-key': key }
  const get = (path: string) => ask(base + path, 'GET', headers)
  const post = (path: string, body: object) =>
    ask(base + path, 'POST', { ...headers, 'content-type': 'application/json' }, JSON.stringify(body))
  return {
    key,
    get,
    post,
    send: (path, body, more) => ask(base + path, 'POST', { ...headers, ...more }, body),
    submission: async () => String((await post('/v1/submissions', { label: 'bench' }))['submission_id']),
    ended: async (id) => {
      const started = performance.now()
      for (;;) {
        const record = await get(`/v1/submissions/${id}`)
        const status = String(record['status'])
        if (status === 'PASS' || status === 'FAIL')
          return { status, seconds: (performance.now() - started) / 1000, record }
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    },
  }
}

const agent = new Agent({ keepAlive: true })

/** node:http, because fetch() takes longer than the service. */
function ask(
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array = '',
): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent, method, headers: { ...headers, 'content-length': body.length } })
    asked.on('error', reject)
    asked.on('response', (response) => {
      json(response).then((answer) => {
        if ((response.statusCode ?? 0) < 300) resolve(answer as Record<string, unknown>)
        else reject(new Error(`${url}: ${response.statusCode} ${JSON.stringify(answer)}`))
      }, reject)
    })
    asked.end(body)
  })
}
