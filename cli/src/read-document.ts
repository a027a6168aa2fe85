import {
  ENVELOPE,
  ENVELOPE_LIMIT_BYTES,
  type JsonValue,
  type KitFiles,
  type Parsed,
  parseStrictJson,
} from '@kitseal/kit/internal'
import { readOrFail } from './input-error.ts'

/** Reads a document of a kit. Throws InputError. */
export async function readDocument<T>(
  kit: KitFiles,
  name: keyof typeof ENVELOPE,
  parse: (value: JsonValue) => Parsed<T>,
): Promise<T> {
  return await readOrFail(`${ENVELOPE[name]} of the kit`, async () => {
    const parsed = parse(parseStrictJson(await kit.read(ENVELOPE[name], ENVELOPE_LIMIT_BYTES[name])))
    if (parsed.ok) return parsed.value
    throw new Error(parsed.problems.join('; '))
  })
}
