import { spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { freePort } from './free-port.ts'

/** A Ceph with an empty bucket. */
export interface S3Server extends AsyncDisposable {
  /** Names the bucket to tests, and has the credentials. */
  readonly env: Readonly<Record<string, string>>
}

const script = path.join(import.meta.dirname, 's3-server.sh')
const NOT_INSTALLABLE = 3
const MAX_ATTEMPTS = 3
const BUCKET = 'kitseal-test'

/** Undefined, with a message, if Ceph is not installed and cannot be. */
export async function startS3(): Promise<S3Server | undefined> {
  const folder = mkdtempSync(path.join(tmpdir(), 'kitseal-s3-'))
  const down = async (): Promise<void> => void spawnSync(script, ['down', folder])
  for (let attempt = 1; ; attempt += 1) {
    // With other ports: another process may take the port, or the next one, which the monitor uses.
    const up = spawnSync(script, ['up', folder, String(await freePort())], { encoding: 'utf8' })
    if (up.status === 0) {
      const settings = Object.fromEntries(
        up.stdout
          .trim()
          .split('\n')
          .map((line) => line.split('=', 2)),
      )
      return {
        env: { ...settings, KITSEAL_TEST_OBJECTS: await newBucket(settings) },
        [Symbol.asyncDispose]: down,
      }
    }
    await down()
    if (up.status !== NOT_INSTALLABLE && attempt < MAX_ATTEMPTS) continue
    console.error(`Tests with S3 do not run: ${up.stderr.trim()}`)
    return undefined
  }
}

async function newBucket(settings: Readonly<Record<string, string>>): Promise<string> {
  const [endpoint = '', region = ''] = [settings['S3_ENDPOINT'], settings['AWS_REGION']]
  const credentials = {
    accessKeyId: settings['AWS_ACCESS_KEY_ID'] ?? '',
    secretAccessKey: settings['AWS_SECRET_ACCESS_KEY'] ?? '',
  }
  const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true })
  await client.send(new CreateBucketCommand({ Bucket: BUCKET }))
  client.destroy()
  return `s3://${BUCKET}/suite?endpoint=${endpoint}&region=${region}&path_style=true`
}
