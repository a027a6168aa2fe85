import type { S3 } from './s3-client.ts'

/** S3 copies up to 5 GiB in one request, but not before the request times out. */
const COPY_BYTES = 128 * 1024 * 1024
const CONCURRENT = 4

/** Copies an object within the bucket. The bytes do not pass through the service. */
export async function copyParts(
  s3: S3,
  Bucket: string,
  from: string,
  Key: string,
  sizeBytes: number,
  copyBytes = COPY_BYTES,
): Promise<void> {
  const { client, CopyObjectCommand, CreateMultipartUploadCommand, UploadPartCopyCommand } = s3
  const { CompleteMultipartUploadCommand, AbortMultipartUploadCommand } = s3
  const CopySource = encodeURI(`${Bucket}/${from}`)
  if (sizeBytes <= copyBytes) {
    await client.send(new CopyObjectCommand({ Bucket, Key, CopySource }))
    return
  }
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key }))
  const partBytes = Math.max(copyBytes, Math.ceil(sizeBytes / 9000))
  const count = Math.ceil(sizeBytes / partBytes)
  const parts: { readonly PartNumber: number; readonly ETag: string }[] = []
  let next = 0
  const copyNext = async (): Promise<void> => {
    for (let at = next++; at < count; at = next++) {
      const [start, end] = [at * partBytes, Math.min((at + 1) * partBytes, sizeBytes)]
      const range = { CopySource, CopySourceRange: `bytes=${start}-${end - 1}`, PartNumber: at + 1 }
      const { CopyPartResult } = await client.send(
        new UploadPartCopyCommand({ Bucket, Key, UploadId, ...range }),
      )
      parts.push({ PartNumber: at + 1, ETag: CopyPartResult?.ETag ?? '' })
    }
  }
  try {
    await Promise.all(Array.from({ length: CONCURRENT }, copyNext))
    const Parts = parts.toSorted((a, b) => a.PartNumber - b.PartNumber)
    await client.send(
      new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }),
    )
  } catch (error) {
    await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(() => {})
    throw error
  }
}
