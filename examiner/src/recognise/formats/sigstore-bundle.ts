import { elements, has, marked, member, recordsIn } from '../members.ts'
import type { Recogniser } from '../recogniser.ts'
import { envelopesIn } from './dsse.ts'

const MEDIA_TYPE = /^application\/vnd\.dev\.sigstore\.bundle(?:\.v0\.\d+\+json|\+json;version=0\.\d+)$/

export const SIGSTORE_BUNDLE: Recogniser = {
  format: 'Sigstore bundle',
  mark: /vnd\.dev\.sigstore\.bundle/,
  reads: 'json',
  read(values) {
    const bundles = marked(recordsIn(values), (one) => MEDIA_TYPE.test(String(member(one, 'mediaType'))))
    const [entry] = elements(member(bundles[0], 'verificationMaterial', 'tlogEntries'))
    const time = member(entry, 'integratedTime')
    if (bundles.every((one) => has(one, 'messageSignature'))) return { target: 'signature of a file', time }
    const stated = envelopesIn(bundles.map((one) => member(one, 'dsseEnvelope')))
    return { ...stated, time: stated.time ?? time }
  },
}
