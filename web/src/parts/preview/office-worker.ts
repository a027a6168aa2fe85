// Parses Office files. The service sends this script with `default-src 'none'`: it can neither fetch nor import anything.
import { readOffice } from '@kitseal/examiner/office-text'
import { officeContent } from './office-content.ts'

const LIMITS = { characters: 100_000 } as const

addEventListener('message', ({ data }: MessageEvent<Uint8Array>) => {
  void readOffice(data, LIMITS).then((office) => postMessage(officeContent(office)))
})
