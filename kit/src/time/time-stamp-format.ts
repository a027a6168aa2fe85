/** A time-stamp response, a certificate or a file of certificates that does not have its exact form. */
export class TimeStampFormatError extends Error {
  override readonly name = 'TimeStampFormatError'
}

/** For what can be left out if it cannot be read. */
export function undefinedIfMalformed<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof TimeStampFormatError) return undefined
    throw error
  }
}

export function timeStampMalformed(problem: string): never {
  throw new TimeStampFormatError(problem)
}
