import assert from 'node:assert/strict'
import { type Administration, type Config, openAdministration, readConfig } from '@kitseal/server'
import type { Checked } from './http.ts'
import type { TestService } from './service.ts'
import { pauseAfter } from './until.ts'

/** As the operator's commands take it. */
export type WorkspaceId = Parameters<Administration['workspaces']['update']>[0]

/** A client with the API key of a workspace. Validates every response against the OpenAPI document. */
export interface WorkspaceClient {
  readonly workspaceId: string
  readonly key: string
  get(path: string, headers?: Record<string, string>): Promise<Checked>
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Checked>
  /** Creates a submission and returns its ID. */
  submission(members?: object): Promise<string>
  upload(id: string, form: FormData, headers?: Record<string, string>): Promise<Checked>
  /** Polls until the submission is final. */
  ended(id: string): Promise<Readonly<Record<string, unknown>>>
  credits(): Promise<{ readonly available: number; readonly held: number }>
}

export interface NewWorkspace {
  readonly credits?: number
  readonly plan?: string
}

/** Operator commands on the data of the running service. */
export async function administer<T>(
  service: OnData,
  work: (admin: Administration) => Promise<T>,
): Promise<T> {
  await using admin = await openAdministration(configOf(service))
  return await work(admin)
}

/** A service in this process, or the data folder of another process. */
type OnData = Pick<TestService, 'dataFolder'> & Partial<Pick<TestService, 'config'>>

function configOf({ config, dataFolder }: OnData): Config {
  if (config !== undefined) return config
  const read = readConfig({ KITSEAL_DATA: dataFolder })
  assert.ok(read.ok)
  return read.value
}

export async function workspaceClient(
  service: OnData & Pick<TestService, 'call'>,
  { credits = 10, plan = 'default' }: NewWorkspace = {},
): Promise<WorkspaceClient> {
  const made = await administer(service, (admin) =>
    admin.workspaces.create({ name: 'Acme', plan, credits, keyLabel: 'test' }, { is: 'operator' }),
  )
  return clientOf(service, made.workspaceId, made.key.text)
}

/** A client of an existing workspace. */
export function clientOf(
  service: Pick<TestService, 'call'>,
  workspaceId: string,
  key: string,
): WorkspaceClient {
  const get: WorkspaceClient['get'] = (path, headers = {}) =>
    service.call(path, { headers: { 'x-api-key': key, ...headers } })
  const post: WorkspaceClient['post'] = (path, body, headers = {}) =>
    service.call(path, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
    })
  return {
    workspaceId,
    key,
    get,
    post,
    submission: async (members = {}) => {
      const created = await post('/v1/submissions', { label: 'Q3 access review', ...members })
      assert.equal(created.status, 201, created.bytes.toString())
      return String(created.json['submission_id'])
    },
    upload: (id, body, headers = {}) =>
      service.call(`/v1/submissions/${id}/evidence`, {
        method: 'POST',
        headers: { 'x-api-key': key, ...headers },
        body,
      }),
    ended: async (id) => {
      for (let looks = 0; ; looks++) {
        const { json } = await get(`/v1/submissions/${id}`)
        if (json['status'] === 'PASS' || json['status'] === 'FAIL') return json
        await pauseAfter(looks)
      }
    },
    credits: async () => {
      const { available, held } = (await get('/v1/credits')).json
      return { available: Number(available), held: Number(held) }
    },
  }
}

export function form(files: Readonly<Record<string, string | Uint8Array>>, fields: object = {}): FormData {
  const data = new FormData()
  for (const [name, content] of Object.entries(files))
    data.append('file', new File([content as string], name))
  for (const [name, value] of Object.entries(fields)) data.append(name, String(value))
  return data
}
