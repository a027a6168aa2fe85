import type { S3 } from './s3-client.ts'

/** Deletes a key, with all its versions if the bucket keeps them. A version with a legal hold is an error. */
export async function eraseKey(s3: S3, Bucket: string, Key: string): Promise<void> {
  const { client, DeleteObjectCommand, keepsVersions } = s3
  if (!keepsVersions) return void (await client.send(new DeleteObjectCommand({ Bucket, Key })))
  for (const VersionId of await versionsOf(s3, Bucket, Key, 'and delete markers'))
    await client.send(new DeleteObjectCommand({ Bucket, Key, VersionId }))
}

/** The versions of a key, the newest first. */
export async function versionsOf(
  { client, ListObjectVersionsCommand }: S3,
  Bucket: string,
  Key: string,
  also?: 'and delete markers',
): Promise<readonly string[]> {
  const found: string[] = []
  let from: { KeyMarker?: string; VersionIdMarker?: string } = {}
  for (;;) {
    const page = await client.send(new ListObjectVersionsCommand({ Bucket, Prefix: Key, ...from }))
    const markers = also === undefined ? [] : (page.DeleteMarkers ?? [])
    for (const version of [...(page.Versions ?? []), ...markers])
      if (version.Key === Key && version.VersionId !== undefined) found.push(version.VersionId)
    if (page.IsTruncated !== true || page.NextKeyMarker !== Key) return found
    from = {
      KeyMarker: page.NextKeyMarker,
      ...(page.NextVersionIdMarker === undefined ? {} : { VersionIdMarker: page.NextVersionIdMarker }),
    }
  }
}
