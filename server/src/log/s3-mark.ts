import type { S3Location } from '../settings/objects-location.ts'
import { loadS3, type S3 } from '../objects/s3-client.ts'
import { isMissing, storeError } from '../objects/s3-errors.ts'
import {
  type Announced,
  beyond,
  headLine,
  type LogHead,
  type LogMark,
  type MarkEntries,
  parseHead,
} from './log-mark.ts'

/** One object per entry, named by it, so that no writer can lower the mark. Smaller entries are removed. */
export function s3Mark(location: S3Location, name: string): LogMark & { close(): Promise<void> } {
  const { bucket: Bucket } = location
  const Prefix = `${location.prefix}log-mark/${name}/`
  let loading: Promise<S3> | undefined
  const s3 = (): Promise<S3> => (loading ??= loadS3(location))

  let listed: MarkEntries = { heads: [], announced: [] }

  async function readAll(): Promise<MarkEntries> {
    const { client, ListObjectsV2Command } = await s3()
    const heads: LogHead[] = []
    const announced: Announced[] = []
    let token: string | undefined
    do {
      const page = await client
        .send(
          new ListObjectsV2Command({
            Bucket,
            Prefix,
            ...(token === undefined ? {} : { ContinuationToken: token }),
          }),
        )
        .catch(fail)
      for (const { Key = '' } of page.Contents ?? []) {
        const entry = Key.slice(Prefix.length)
        heads.push(...headsOf(entry))
        announced.push(...announcedIn(entry))
      }
      token = page.NextContinuationToken
    } while (token !== undefined)
    listed = { heads, announced }
    return { heads, announced: beyond(heads, announced) }
  }

  async function remove(key: string): Promise<void> {
    const { client, DeleteObjectCommand } = await s3()
    await client
      .send(new DeleteObjectCommand({ Bucket, Key: `${Prefix}${key}` }))
      .catch((error: unknown) => (isMissing(error) ? undefined : fail(error)))
  }

  async function put(key: string, head: LogHead): Promise<void> {
    const { client, PutObjectCommand } = await s3()
    const [Key, Body] = [`${Prefix}${key}`, `${headLine(head)}\n`]
    await client.send(new PutObjectCommand({ Bucket, Key, Body })).catch(fail)
  }

  async function record(head: LogHead): Promise<void> {
    await put(keyOf(head), head)
    for (const known of listed.heads) if (known.size < head.size) await remove(keyOf(known))
    for (const known of listed.announced) if (known.size <= head.size) await remove(announcedKey(known))
  }

  return {
    location: `s3://${Bucket}/${Prefix}`,
    readAll,
    read: async () => (await readAll()).heads,
    record,
    confirm: record,
    announce: (head) => put(announcedKey(head), head),
    withdraw: (head) => remove(announcedKey(head)),
    close: async () => (await loading)?.client.destroy(),
  }
}

function fail(error: unknown): never {
  throw storeError(error)
}

const keyOf = ({ size, root }: LogHead): string => `${size}-${Buffer.from(root, 'base64').toString('hex')}`

const announcedKey = (head: Announced): string =>
  `announced/${keyOf(head)}-${Buffer.from(head.owner).toString('hex')}`

function announcedIn(key: string): readonly Announced[] {
  const [, name = '', owner = ''] = /^announced\/(\d+-[0-9a-f]{64})-([0-9a-f]+)$/.exec(key) ?? []
  return headsOf(name).map(({ size, root }) => ({ size, root, owner: Buffer.from(owner, 'hex').toString() }))
}

function headsOf(key: string): readonly LogHead[] {
  const [, size = '', root = ''] = /^(\d+)-([0-9a-f]{64})$/.exec(key) ?? []
  const head = parseHead(`${size} ${Buffer.from(root, 'hex').toString('base64')}`)
  return head === undefined ? [] : [head]
}
