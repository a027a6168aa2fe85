/** Reads a response body of at most `limitBytes`, or throws the error of `tooLarge`. */
export async function readBody(
  { body }: Response,
  limitBytes: number,
  tooLarge: () => Error,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let total = 0
  for await (const part of body ?? []) {
    total += part.length
    if (total > limitBytes) throw tooLarge()
    parts.push(part)
  }
  return new Uint8Array(Buffer.concat(parts))
}
