import assert from 'node:assert/strict'
import { readConfig } from '../src/settings/config.ts'
import { openStore } from '../src/open-store.ts'
import { scrubObjects } from '../src/maintenance/scrub-objects.ts'
import { checkedClient } from '../../test/kit/http.ts'
import { type ServiceProcess, serviceProcess } from '../../test/kit/service-process.ts'
import { form, type WorkspaceClient, workspaceClient } from '../../test/kit/workspace.ts'

/** A running service, before a fault is injected. */
export interface Scene extends AsyncDisposable {
  readonly data: string
  readonly service: ServiceProcess
  readonly client: WorkspaceClient
  /** A kit that was issued before the fault. */
  readonly kitId: string
}

export async function scene(data: string, settings: Readonly<Record<string, string>> = {}): Promise<Scene> {
  const service = await serviceProcess({ KITSEAL_DATA: data, TEST_LEASE_SECONDS: '2', ...settings })
  const client = await workspaceClient({ dataFolder: data, call: checkedClient(service.base) })
  const id = await client.submission()
  assert.equal((await client.upload(id, form({ 'a.txt': 'before' }))).status, 202)
  const kitId = String((await client.ended(id))['kit_id'])
  return {
    data,
    service,
    client,
    kitId,
    [Symbol.asyncDispose]: async () => void (await service.end('SIGKILL')),
  }
}

export async function assertServed({ client, kitId }: Pick<Scene, 'client' | 'kitId'>): Promise<void> {
  const response = await client.get(`/v1/kits/${kitId}/download`)
  assert.equal(response.status, 200)
  assert.ok(response.bytes.length > 10_000)
}

/** Checks that the service has recovered: a new submission passes, a scrub finds no problem, and it stops with 0. */
export async function assertRecovers(at: Pick<Scene, 'data' | 'client' | 'service'>): Promise<void> {
  await assertWorks(at)
  assert.equal(await at.service.end('SIGTERM'), 0)
}

/** Checks that a new submission passes, and a scrub finds no problem. */
export async function assertWorks({ data, client }: Pick<Scene, 'data' | 'client'>): Promise<void> {
  const id = await client.submission()
  assert.equal((await client.upload(id, form({ 'a.txt': `after ${id}` }))).status, 202)
  assert.equal((await client.ended(id))['status'], 'PASS')
  assert.equal((await client.credits()).held, 0)
  const config = readConfig({ KITSEAL_DATA: data })
  assert.ok(config.ok)
  await using store = await openStore(config.value)
  for await (const { finding } of scrubObjects(store)) assert.equal(finding, undefined)
}

/** Checks for a temporary refusal with Retry-After that reveals no internals. */
export function assertUnavailable(response: Awaited<ReturnType<WorkspaceClient['post']>>): void {
  // A random request id may contain "EIO".
  const text = JSON.stringify({ ...response.json, request_id: '' })
  assert.equal(response.status, 503, text)
  assert.ok(Number(response.headers.get('retry-after')) >= 1)
  assert.match(
    String(response.json['message']),
    /^The database or object store is unavailable\. Try again shortly\.$/,
  )
  assert.ok(!/ENOSPC|EROFS|EPERM|EIO|SQLITE|\/tmp/.test(text), text)
}
