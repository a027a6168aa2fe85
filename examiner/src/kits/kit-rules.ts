/** What verifying a kit in the evidence can show. */
export const KIT_RULES = {
  kit_verified: {
    class: 'notice',
    message: 'This is a kit, and it was verified.',
    remedy: 'Nothing to do.',
  },
  kit_unconfirmed: {
    class: 'notice',
    message: 'This is a kit. Its files are intact, but its issuer is not known here.',
    remedy: 'Nothing to do. To have it verified, pin the keys of its issuer.',
  },
  kit_altered: {
    class: 'damage',
    message: 'This is a kit that was altered since it was issued.',
    remedy: 'Ask its issuer for the original.',
  },
  kit_forged: {
    class: 'damage',
    message: 'This is a kit that was not signed by the issuer it names.',
    remedy: 'Ask the issuer, at an address that you already know, whether it issued this kit.',
  },
  kit_key_revoked: {
    class: 'damage',
    message: 'This is a kit whose signing key was revoked.',
    remedy: 'Ask its supplier for a re-issued kit.',
  },
} as const
