// Own process: the signal would end the tests that share it.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { run } from '../src/commands/demo.ts'

interface Run {
  readonly code: Promise<number>
  readonly printed: () => string
  /** Resolves when this text was printed. */
  readonly until: (text: string) => Promise<void>
}

function demo(args: readonly string[], isTTY: boolean): Run {
  let printed = ''
  const { promise, resolve } = Promise.withResolvers<void>()
  let awaited = '\0'
  const write = (text: string | Uint8Array): void => {
    printed += String(text)
    if (printed.includes(awaited)) resolve()
  }
  const terminal = { env: { NO_COLOR: '1' }, stdout: { isTTY, write }, stderr: { write } }
  return {
    code: run(args, terminal),
    printed: () => printed,
    until: (text) => {
      awaited = text
      return promise
    },
  }
}

const json = async <T>(url: string, init?: RequestInit) => (await (await fetch(url, init)).json()) as T

test('on a terminal, the demo shows two quarters, a request, a room and a kit to break, until Ctrl+C', async () => {
  const { code, printed, until } = demo([], true)
  await Promise.race([until('Press Ctrl+C'), code])
  const text = printed()
  const after = (name: string): string => new RegExp(`^  ${name} +(\\S+)$`, 'm').exec(text)?.[1] ?? ''

  const signIn = new URL(after('sign in'))
  const { origin } = signIn
  const headers = { origin, 'x-console-request': '1', 'content-type': 'application/json' }
  const body = JSON.stringify({ token: signIn.hash.slice(1) })
  const accepted = await fetch(`${origin}/console/api/invitation/accept`, { method: 'POST', headers, body })
  const cookie = accepted.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const { member } = (await accepted.json()) as { readonly member: { readonly email: string } }
  assert.equal(member.email, 'ann@acme.example')

  const programId = after('program').split('/').at(-1)
  const { periods } = await json<{ periods: readonly { status: string }[] }>(
    `${origin}/v1/programs/${programId}/board`,
    { headers: { cookie } },
  )
  assert.deepEqual(
    periods.map(({ status }) => status),
    ['open', 'sealed'],
  )
  assert.equal((await fetch(`${origin}/v1/programs/${programId}`)).status, 401)
  const request = await json<{ requester: string; items: readonly unknown[] }>(`${after('supplier')}/request`)
  assert.deepEqual([request.requester, request.items.length], ['Acme', 3])
  const { comments } = await json<{ comments: readonly unknown[] }>(`${after('auditor')}/remarks.json`)
  assert.equal(comments.length, 1)

  const [kit = '', changed = ''] = text.match(/\S+\.zip$/gm) ?? []
  assert.ok(existsSync(kit) && existsSync(changed))
  process.emit('SIGINT')
  assert.equal(await code, 0)
  assert.ok(!existsSync(kit) && !existsSync(changed), 'the files are deleted')
})

test('without a terminal, the demo ends by itself, and the changed copy is detected', async () => {
  const { code, printed } = demo(['--json'], false)
  assert.equal(await code, 0)
  const text = printed()
  assert.ok(!text.includes('Press Ctrl+C'))
  assert.deepEqual(JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)), {
    status: 'PASS',
    detected: true,
  })
})
