import { ENVELOPE_PATHS } from '../../../kit/src/envelope.ts'
import type { Result } from '../../vector.ts'
import {
  ARTIFACTS,
  BY_JWKS,
  type Case,
  fails,
  json,
  KEY,
  kit,
  MANIFEST,
  passes,
  RECEIPT,
  sealed,
  times,
} from '../case.ts'
import { draftKit, ISSUER, type Steps } from '../draft.ts'
import { keySetFile } from '../key-sets.ts'
import { forger, issuer, nextIssuer } from '../keys.ts'
import {
  FORGED,
  honest,
  KEY_NOT_IN_KIT,
  NO_KEY,
  NOT_PINNED,
  NOT_TRUSTED,
  SIGNED_BY_FORGER,
  trusting,
} from './forged-kits.ts'

const KIT_COPY = fails(['signer_not_trusted'], KEY, 'kit', 'sender_unconfirmed')
const REVOKED = fails(['key_revoked'], KEY, 'none', 'key_revoked')
const INTEGRITY_ONLY = fails(['signer_not_trusted'], [], 'kit', 'sender_unconfirmed')
const OTHER_ISSUER = 'https://other.example'
const NAMING_OTHER_ISSUER: Steps = { receipt: (receipt) => ({ ...receipt, issuer: OTHER_ISSUER }) }

/** A receipt that a service checks with its own keys, against a kit that it has. */
const posted = (name: string, steps: Steps, expected: Result): Case => ({
  name,
  kind: 'receipt',
  kit: 'valid/an-issued-kit-passes.zip',
  jwks: keySetFile('issuer'),
  issuer: ISSUER,
  expected,
  content: json(draftKit(steps).receipt),
})

/** One or more vectors for each verdict about the sender. */
export const senders: readonly Case[] = [
  kit('integrity-alone-confirms-nobody', honest, INTEGRITY_ONLY, { use_kit_keys: true }),
  sealed('integrity-alone-says-nothing-about-the-signer', FORGED, INTEGRITY_ONLY, { use_kit_keys: true }),
  kit('a-revoked-key-is-reported-as-revoked', honest, REVOKED, trusting('issuer-listed-as-revoked')),
  kit('a-compromised-key-is-reported-as-revoked', honest, REVOKED, trusting('issuer-compromised')),
  kit(
    'a-revocation-overrules-a-key-that-is-still-listed',
    honest,
    REVOKED,
    trusting('issuer-listed-and-revoked'),
  ),
  kit(
    'a-revocation-in-one-key-set-overrules-another-key-set',
    honest,
    REVOKED,
    trusting('issuer', 'issuer-listed-as-revoked'),
  ),
  kit('a-revocation-overrules-a-pinned-kid', honest, REVOKED, {
    kids: [issuer.kid],
    ...trusting('issuer-listed-as-revoked'),
  }),
  sealed(
    'an-altered-receipt-under-a-revoked-key-is-altered',
    { sign: forger.sign },
    fails(['key_revoked', 'signature_invalid'], KEY, 'none'),
    trusting('issuer-listed-as-revoked'),
  ),
  kit(
    'the-revocation-of-another-key-changes-nothing',
    honest,
    passes(),
    trusting('issuer-with-another-revoked'),
  ),
  kit('a-key-set-file-identical-to-the-kits-copy-confirms-nobody', honest, KIT_COPY, trusting('kit-copy')),
  sealed(
    'a-forged-kit-with-its-own-key-set-as-a-file-is-not-confirmed',
    FORGED,
    KIT_COPY,
    trusting('kit-copy-forged'),
  ),
  kit('a-key-set-identical-to-the-kits-copy-counts-once-its-source-is-confirmed', honest, passes(), {
    confirmed_jwks: [keySetFile('kit-copy')],
  }),
  kit('a-key-set-file-identical-to-the-kits-copy-holds-with-a-pinned-kid', honest, passes('pinned'), {
    kids: [issuer.kid],
    ...trusting('kit-copy'),
  }),
  kit('a-second-key-set-counts-beside-the-kits-copy', honest, passes(), trusting('kit-copy', 'issuer')),
  sealed(
    'the-kits-copy-adds-nothing-to-the-issuers-key-set',
    FORGED,
    NO_KEY,
    trusting('kit-copy-forged', 'issuer'),
  ),
  sealed(
    'an-invalid-signature-is-altered-even-without-trusted-keys',
    { sign: forger.sign },
    fails(['signature_invalid', 'signer_not_trusted'], KEY, 'none'),
    {},
  ),
  sealed(
    'an-invalid-signature-is-altered-even-where-the-signer-is-unknown',
    { sign: forger.sign },
    fails(['key_not_in_jwks', 'signature_invalid'], KEY, 'none'),
    trusting('forger'),
  ),
  kit('a-kit-that-names-the-required-issuer-passes', honest, passes(), { ...BY_JWKS, issuer: ISSUER }),
  sealed('a-kit-that-does-not-name-the-required-issuer-fails', { issuer: OTHER_ISSUER }, NOT_PINNED, {
    ...BY_JWKS,
    issuer: ISSUER,
  }),
  kit('a-pin-for-another-issuer-confirms-nobody', honest, NOT_TRUSTED, {
    pins: [{ kid: nextIssuer.kid, issuer: OTHER_ISSUER }],
  }),
  posted('a-receipt-of-the-verifiers-own-issuer-passes', {}, passes()),
  posted('a-receipt-that-names-the-verifier-and-is-not-signed-by-it-fails', SIGNED_BY_FORGER, NO_KEY),
  posted(
    'a-receipt-of-another-issuer-is-not-confirmed',
    { ...SIGNED_BY_FORGER, ...NAMING_OTHER_ISSUER },
    KEY_NOT_IN_KIT,
  ),
  posted('a-receipt-of-another-issuer-signed-with-the-verifiers-key-fails', NAMING_OTHER_ISSUER, NOT_PINNED),
]

/** Nothing in it is part of a kit. */
export const otherArchives: readonly Case[] = [
  sealed(
    'an-archive-of-other-files-is-no-kit',
    { packed: (files) => ENVELOPE_PATHS.forEach((path) => files.delete(path)) },
    fails(
      ['manifest_malformed', 'receipt_malformed', ...times('envelope_missing', 5)],
      [...MANIFEST, ...ARTIFACTS, ...RECEIPT, ...KEY],
      'none',
      'unreadable',
    ),
  ),
]
