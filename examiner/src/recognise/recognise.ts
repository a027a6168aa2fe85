import type { RecognisedOutput } from '@kitseal/kit/internal'
import { utf16Encoding } from '../detect/text-encoding.ts'
import { RECOGNISED_JSON_BYTES } from '../limits.ts'
import { declaredEncoding } from '../text/active-xml.ts'
import { jsonValues } from './json-values.ts'
import type { Recogniser, Stated } from './recogniser.ts'
import { RECOGNISERS } from './recognisers.ts'
import { recognisedOutput } from './stated.ts'
import { XmlElements } from './xml-elements.ts'

export type { RecognisedOutput } from '@kitseal/kit/internal'

/** Reads a file that looks like the output of a known tool, while it is examined. */
export interface OutputReader {
  push(bytes: Uint8Array): void
  /** Undefined unless the whole file is as its format says: a part of it would give wrong counts. */
  end(): RecognisedOutput | undefined
}

/** Looks at the first bytes of a text. Undefined if no format begins like this, or if it is too large. */
export function startRecognising(
  head: Uint8Array,
  sizeBytes: number,
  take: (bytes: number) => boolean,
): OutputReader | undefined {
  const start = new TextDecoder(utf16Encoding(head) ?? 'utf-8').decode(head).trimStart()
  const reads = READS[start.charAt(0)] ?? 'text'
  const likely = RECOGNISERS.filter((one) => one.reads === reads && one.mark.test(start))
  const [first] = likely
  if (first === undefined || (reads !== 'xml' && sizeBytes > RECOGNISED_JSON_BYTES) || !take(sizeBytes))
    return undefined
  return first.reads === 'xml' ? xmlOutput(first, head) : wholeOutput(likely, sizeBytes)
}

const READS: Readonly<Record<string, Recogniser['reads']>> = { '{': 'json', '[': 'json', '<': 'xml' }

function xmlOutput(
  { format, start }: Extract<Recogniser, { reads: 'xml' }>,
  head: Uint8Array,
): OutputReader | undefined {
  const elements = new XmlElements(start())
  const decoder = decoderOf(utf16Encoding(head) ?? declaredEncoding(head) ?? 'utf-8')
  if (decoder === undefined) return undefined
  return {
    push: (bytes) => elements.push(() => decoder.decode(bytes, { stream: true })),
    end() {
      elements.push(() => decoder.decode())
      const stated = elements.end()
      return stated === undefined ? undefined : recognisedOutput(format, stated)
    },
  }
}

function decoderOf(label: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(label, { fatal: true })
  } catch {
    return undefined
  }
}

function wholeOutput(likely: readonly Recogniser[], sizeBytes: number): OutputReader {
  const whole = new Uint8Array(sizeBytes)
  let length = 0
  return {
    push(bytes) {
      if (length + bytes.length <= sizeBytes) whole.set(bytes, length)
      length += bytes.length
    },
    end: () => (length === sizeBytes ? readWhole(likely, whole) : undefined),
  }
}

function readWhole(likely: readonly Recogniser[], bytes: Uint8Array): RecognisedOutput | undefined {
  const text = decoded(bytes)
  if (text === undefined) return undefined
  const values = likely.some(({ reads }) => reads === 'json') ? jsonValues(text) : undefined
  for (const one of likely) {
    const stated = withoutThrowing(() => {
      if (one.reads === 'text') return one.read(bytes, text)
      return one.reads === 'json' && values !== undefined ? one.read(values) : undefined
    })
    if (stated !== undefined) return recognisedOutput(one.format, stated)
  }
  return undefined
}

function decoded(bytes: Uint8Array): string | undefined {
  return withoutThrowing(() =>
    new TextDecoder(utf16Encoding(bytes) ?? 'utf-8', { fatal: true }).decode(bytes),
  )
}

/** A file that is not what it seems has no summary. It is never a reason to fail. */
function withoutThrowing<Result extends string | Stated>(read: () => Result | undefined): Result | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** Whether the file lists secrets that a scanner found, which it quotes. */
export function isSecretScanner(recognised: RecognisedOutput | undefined): boolean {
  if (recognised?.format === 'gitleaks') return true
  return recognised?.format === 'Trivy' && recognised.counts.some(({ name }) => name === 'secrets')
}
