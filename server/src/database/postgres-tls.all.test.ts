import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openPostgres } from './postgres.ts'
import { newDatabase, postgresServer } from '../../../test/kit/postgres.ts'
import { needs } from '../../../test/kit/needs.ts'

test(
  'with one’s own CA the server is verified, and one that another CA certified is refused',
  needs('openssl'),
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kitseal-ca-'))
    try {
      const ca = authority(folder, 'own')
      const other = authority(folder, 'other')
      certify(folder)
      await using server = await postgresServer({
        ssl: 'on',
        ssl_cert_file: join(folder, 'server.pem'),
        ssl_key_file: join(folder, 'server.key'),
      })
      const url = await newDatabase(server.url)
      const open = async (parameters: string) => {
        const db = await openPostgres({ url: `${url}?${parameters}`, connections: 2 })
        await using _ = { [Symbol.asyncDispose]: () => db.destroy() }
        return (await db.selectFrom('workspaces').select('workspace_id').execute()).length
      }
      assert.equal(await open(`sslmode=verify-full&sslrootcert=${ca}`), 0)
      await assert.rejects(open(`sslmode=verify-full&sslrootcert=${other}`), /certificate/)
      await assert.rejects(open('sslmode=verify-full'), /certificate/)
      const moved = `sslmode=verify-full&sslrootcert=${ca}`
      const renamed = new URL(url)
      renamed.hostname = 'localhost'
      await assert.rejects(
        openPostgres({ url: `${renamed.href}?${moved}`, connections: 2 }),
        /certificate's altnames/,
      )
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
)

const openssl = (...options: readonly string[]) => execFileSync('openssl', options, { stdio: 'pipe' })

function authority(folder: string, name: string): string {
  const file = join(folder, `${name}-ca.pem`)
  openssl('req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2',
    '-subj', `/CN=${name} CA`, '-keyout', join(folder, `${name}-ca.key`), '-out', file) // prettier-ignore
  return file
}

/** For 127.0.0.1, by the CA `own`. */
function certify(folder: string): void {
  const [key, request, cert, more] = ['server.key', 'server.csr', 'server.pem', 'server.ext'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string]
  openssl('req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', '/CN=db',
    '-keyout', key, '-out', request) // prettier-ignore
  writeFileSync(more, 'subjectAltName=IP:127.0.0.1')
  openssl('x509', '-req', '-in', request, '-CA', join(folder, 'own-ca.pem'), '-CAkey', join(folder, 'own-ca.key'),
    '-days', '2', '-extfile', more, '-out', cert) // prettier-ignore
  chmodSync(folder, 0o755)
  chmodSync(key, 0o600)
  // Under root, the server runs as this user, and it refuses the key of another one.
  if (process.getuid?.() === 0) chownSync(key, Number(execFileSync('id', ['-u', 'nobody'])), 0)
}
