import { openAdministration, readConfig } from '@kitseal/server'

export interface Workspace {
  readonly key: string
  post(path: string, body: object): Promise<Record<string, unknown>>
  get(path: string): Promise<Record<string, unknown>>
  submission(): Promise<string>
  /** Polls until the end; gives the status and how many seconds that took. */
  ended(id: string): Promise<{ readonly status: string; readonly seconds: number; readonly record: object }>
}

/** A workspace with more credits than a measurement uses, at a running service. */
export async function workspace(base: string, dataFolder: string): Promise<Workspace> {
  const config = readConfig({ KITSEAL_DATA: dataFolder })
  if (!config.ok) throw new Error(config.problems.join(' '))
  await using admin = await openAdministration(config.value)
  const asked = { name: 'bench', plan: 'default', credits: 1000, keyLabel: 'bench' }
  const { text: key } = (await admin.workspaces.create(asked, { is: 'operator' })).key
  const headers = { 'x-api-key': key }
  const get = async (path: string) =>
    (await (await fetch(base + path, { headers })).json()) as Record<string, unknown>
  const post = async (path: string, body: object) => {
    const answer = await fetch(base + path, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return (await answer.json()) as Record<string, unknown>
  }
  return {
    key,
    get,
    post,
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
