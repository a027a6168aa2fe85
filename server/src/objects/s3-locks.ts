import type { ObjectLocks } from './object-store.ts'
import type { S3 } from './s3-client.ts'
import { isMissing, statusOf, storeError } from './s3-errors.ts'
import { versionsOf } from './s3-versions.ts'

/** Legal holds of S3 Object Lock. */
export function s3Locks(
  s3: () => Promise<S3>,
  Bucket: string,
  keyOf: (sha256: string) => string,
): ObjectLocks {
  const setHold = async (Key: string, VersionId: string | undefined, Status: 'ON' | 'OFF'): Promise<void> => {
    const { client, PutObjectLegalHoldCommand } = await s3()
    const version = VersionId === undefined ? {} : { VersionId }
    await client.send(new PutObjectLegalHoldCommand({ Bucket, Key, ...version, LegalHold: { Status } }))
  }
  return {
    async check() {
      const { client, GetObjectLockConfigurationCommand } = await s3()
      try {
        const answer = await client.send(new GetObjectLockConfigurationCommand({ Bucket }))
        if (answer.ObjectLockConfiguration?.ObjectLockEnabled === 'Enabled') return
      } catch (error) {
        if (!isUnlockable(error)) throw storeError(error)
      }
      throw new Error(
        `KITSEAL_OBJECT_LOCK is on, but the bucket ${Bucket} has no Object Lock. Create a bucket with Object Lock, or set KITSEAL_OBJECT_LOCK to off.`,
      )
    },
    async lock(sha256) {
      try {
        await setHold(keyOf(sha256), undefined, 'ON')
      } catch (error) {
        // A missing object is reported by the scrub.
        if (!isMissing(error)) throw storeError(error)
      }
    },
    async unlock(sha256) {
      try {
        // Storing the same content again makes a version without a hold.
        for (const version of await versionsOf(await s3(), Bucket, keyOf(sha256)))
          await setHold(keyOf(sha256), version, 'OFF')
      } catch (error) {
        if (!isMissing(error)) throw storeError(error)
      }
    },
  }
}

/** No configuration, or a store that does not know the operation. */
function isUnlockable(error: unknown): boolean {
  const status = statusOf(error)
  return isMissing(error) || status === 400 || status === 405 || status === 409 || status === 501
}
