import { canonicalJson } from '../encoding/canonical-json.ts'
import { isJsonObject, type JsonObject, parseStrictJson } from '../encoding/strict-json.ts'
import { fromUtf8 } from '../encoding/utf8.ts'

/** Larger than any event. */
const MAX_LINE_BYTES = 1024 * 1024

/** A line of an export, or why it is not one. */
export type AuditLine =
  | { readonly ok: true; readonly value: JsonObject }
  | { readonly ok: false; readonly problem: string }

/** Splits an export into lines and parses each. Every line has one spelling: canonical JSON and a line feed. */
export async function* readAuditLines(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<AuditLine> {
  let rest = new Uint8Array(0)
  for await (const chunk of chunks) {
    let bytes: Uint8Array = concat(rest, chunk)
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10)) {
      yield parseLine(bytes.subarray(0, end))
      bytes = bytes.subarray(end + 1)
    }
    rest = bytes.slice()
    if (rest.length > MAX_LINE_BYTES) {
      yield { ok: false, problem: 'is longer than 1 MiB' }
      return
    }
  }
  if (rest.length > 0) yield { ok: false, problem: 'does not end with a line feed' }
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(a.length + b.length)
  both.set(a)
  both.set(b, a.length)
  return both
}

function parseLine(bytes: Uint8Array): AuditLine {
  const text = fromUtf8(bytes)
  try {
    const value = parseStrictJson(text ?? bytes)
    if (!isJsonObject(value)) return { ok: false, problem: 'is not a JSON object' }
    if (canonicalJson(value) !== text) return { ok: false, problem: 'is not canonical JSON' }
    return { ok: true, value }
  } catch (error) {
    return {
      ok: false,
      problem: `is not strict JSON: ${error instanceof Error ? error.message : String(error)}`,
    }
  }
}
