import type { S3Location } from '../settings/parse.ts'
import { isMissing, loadS3, type S3, storeError } from '../objects/s3-client.ts'
import { entryName, headLine, headOf, type LogHead, type LogMark } from './log-mark.ts'

/** One object per entry, named by it, so that no writer can lower the mark. Smaller entries are removed. */
export function s3Mark(location: S3Location, name: string): LogMark & { close(): Promise<void> } {
  const { bucket: Bucket } = location
  const Prefix = `${location.prefix}log-mark/${name}/`
  let loading: Promise<S3> | undefined
  const s3 = (): Promise<S3> => (loading ??= loadS3(location))

  let listed: readonly LogHead[] = []

  async function read(): Promise<readonly LogHead[]> {
    const { client, ListObjectsV2Command } = await s3()
    const heads: (LogHead | undefined)[] = []
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
      for (const { Key = '' } of page.Contents ?? []) heads.push(headOf(Key.slice(Prefix.length)))
      token = page.NextContinuationToken
    } while (token !== undefined)
    return (listed = heads.filter((head) => head !== undefined))
  }

  async function record(head: LogHead): Promise<void> {
    const { client, DeleteObjectCommand, PutObjectCommand } = await s3()
    const [Key, Body] = [`${Prefix}${entryName(head)}`, `${headLine(head)}\n`]
    await client.send(new PutObjectCommand({ Bucket, Key, Body })).catch(fail)
    for (const known of listed)
      if (known.size < head.size)
        await client
          .send(new DeleteObjectCommand({ Bucket, Key: `${Prefix}${entryName(known)}` }))
          .catch((error: unknown) => (isMissing(error) ? undefined : fail(error)))
  }

  return {
    location: `s3://${Bucket}/${Prefix}`,
    read,
    record,
    close: async () => (await loading)?.client.destroy(),
  }
}

function fail(error: unknown): never {
  throw storeError(error)
}
