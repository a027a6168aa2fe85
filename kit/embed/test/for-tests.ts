import { parseStrictJson } from '../../src/encoding/strict-json.ts'
import { openZip, storedKit } from '../../src/kit-files.ts'
import { NO_TRUST } from '../../src/trust.ts'
import { verifyKit, verifyReceipt } from '../../src/verify.ts'
import { webHost } from '../../src/web-host.ts'
import { parseJwks } from '../../src/jwks.ts'
import { parseProof } from '../../src/proof.ts'
import { verifyFileProof } from '../../src/proof.ts'

const kitseal = {
  verifyKit,
  verifyReceipt,
  verifyFileProof,
  openZip,
  storedKit,
  parseStrictJson,
  parseJwks,
  parseProof,
  webHost,
  NO_TRUST,
}

export type KitsealForTests = typeof kitseal

Object.assign(globalThis, { kitseal })
